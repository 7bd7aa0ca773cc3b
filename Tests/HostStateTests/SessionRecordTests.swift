import Foundation
import GRDB
import HostCore
import HostInterface
import Testing

@testable import HostState

@Suite(.timeLimit(.minutes(1))) struct SessionRecordTests {
    private let state = TemporaryState()

    private func record(_ id: String, _ device: CachedDevice = device("Room")) throws -> AdoptableSession {
        AdoptableSession(
            id: id, device: device.description, extensionIdentifier: "org.example", source: "file:///song.mp3",
            url: "http://10.0.0.1:8200/token/song.mp3", application: nil,
            media: MediaInformation(title: "Song", startPosition: 12), token: Data([0, 255]),
            servedFile: ServedFile(
                id: "token", url: try #require(URL(string: "http://10.0.0.1:8200/token/song.mp3")),
                contentType: "audio/mpeg"))
    }

    @Test func recordsSurviveInTheOrderTheyBeganUntilTheyAreDropped() async throws {
        let store = try state.open()
        var first = try record("9")
        var second = try record("10")
        second.others = [device("Bath").description, device("Attic").description]
        try await store.keep(first)
        try await store.keep(second)
        first.token = nil
        try await store.keep(first)
        try store.close()

        let again = try state.open()
        #expect(try await again.adoptableSessions() == [first, second])
        try await again.dropSession(id: "9")
        try await again.dropSession(id: "nobody")
        #expect(try await again.adoptableSessions() == [second])
    }

    @Test func aRecordThatCannotBeReadIsLeftOut() async throws {
        let log = LogRecorder()
        let store = try state.open(log: log)
        try await store.keep(try record("1"))
        try store.close()
        let queue = try DatabaseQueue(path: state.file.path)
        try await queue.write { try $0.execute(sql: "INSERT INTO session (id, record) VALUES ('2', '{}')") }
        try queue.close()
        let again = try state.open(log: log)
        #expect(try await again.adoptableSessions().map(\.id) == ["1"])
        #expect(log.lines.contains { $0.contains("session") })
    }

    @Test func aDatabaseOfTheFirstVersionKeepsWhatItHas() async throws {
        let store = try state.open()
        try await store.setCredential(Data([1]), device: "A")
        try store.close()
        let queue = try DatabaseQueue(path: state.file.path)
        try await queue.write { database in
            for table in [
                "session", "ownName", "manualDevice", "disabledExtension", "setting", "deviceMerge", "deviceApart",
                "remoteSession", "pushToken", "endedRemoteSession", "soundSink", "applicationRoute",
                "movedStream",
            ] {
                try database.execute(sql: "DROP TABLE \(table)")
            }
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier NOT LIKE '1:%'")
        }
        try queue.close()
        let again = try state.open()
        #expect(again.setAside == nil)
        #expect(try await again.credential(device: "A") == Data([1]))
        #expect(try await again.adoptableSessions().isEmpty)
        try await again.keep(try record("1"))
        #expect(try await again.adoptableSessions().count == 1)
    }
}
