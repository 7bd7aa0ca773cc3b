import Foundation
import HostCore
import HostInterface
import Testing

@testable import HostState

@Suite(.timeLimit(.minutes(1)))
struct RemoteSessionRecordTests {
    @Test func sessionsAreKeptInOrderAndNumbersAreNeverUsedAgain() async throws {
        let state = TemporaryState()
        let store = try state.open()
        #expect(try await store.lastRemoteSession() == 0)
        var records = (1...3).map { number in
            RemoteSessionRecord(
                number: number, session: "s\(number)", application: "org.example", name: "Example",
                extensionIdentifier: "org.example.remote")
        }
        records[0].attributes = Data("{}".utf8)
        records[1].pending = Data([0, 255])
        records[2].show(
            MediaSessionState(
                content: MediaItem(id: "x", kind: .music, isVideo: false, title: "Song"),
                devices: [.init(id: "k", name: "Kitchen", type: "speaker", level: 0.5)]), clockOffset: -5)
        for record in records.reversed() { try await store.keep(record) }
        #expect(try await store.remoteSessions() == records)
        records[0].pending = Data("[]".utf8)
        try await store.keep(records[0])
        try await store.dropRemoteSession(number: 3)
        #expect(try await store.remoteSessions() == Array(records[..<2]))
        #expect(try await store.lastRemoteSession() == 3)
    }
}
