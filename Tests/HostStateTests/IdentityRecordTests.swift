import Foundation
import GRDB
import HostCore
import HostInterface
import Testing

@testable import HostState

@Suite(.timeLimit(.minutes(1))) struct IdentityRecordTests {
    private let state = TemporaryState()

    /// As the host makes them.
    private func identities() throws -> StoredIdentities {
        var identities = DeviceIdentities()
        for (id, declared) in [("A", []), ("B", ["upnp:abcd"])] {
            _ = identities.seen(member(id, declared: declared))
        }
        for devices in [["A", "B", "C"], ["X", "Y"], ["P", "Q"]] {
            _ = try identities.merge(devices) { member($0) }
        }
        _ = try identities.split("P", name: "P")
        return identities.stored
    }

    private func member(_ id: String, declared: [String] = []) -> DeviceMerge.Member {
        DeviceMerge.Member(
            id: id, name: "Room “\(id)”", extensionIdentifier: "org.example", protocolIdentifier: "org.example.p",
            protocolName: "P", declared: declared)
    }

    @Test func whoIsOneSurvivesReopeningInPlaceOfWhatWasStored() async throws {
        let stored = try identities()
        let store = try state.open()
        #expect(try await store.identities() == StoredIdentities())
        try await store.setIdentities(StoredIdentities(merges: [], apart: ["Z"]))
        try await store.setIdentities(stored)
        try store.close()
        let again = try state.open()
        #expect(try await again.identities() == stored)
        #expect(stored.merges.map(\.id) == ["A", "X"] && stored.apart == ["Q"])
        try await again.setIdentities(StoredIdentities())
        #expect(try await again.identities() == StoredIdentities())
    }

    @Test func aMergeThatCannotBeReadIsLeftOut() async throws {
        let log = LogRecorder()
        let store = try state.open(log: log)
        try await store.setIdentities(try identities())
        try store.close()
        let queue = try DatabaseQueue(path: state.file.path)
        try await queue.write { try $0.execute(sql: "UPDATE deviceMerge SET merge = '{}' WHERE device = 'A'") }
        try queue.close()
        let again = try state.open(log: log)
        #expect(try await again.identities().merges.map(\.id) == ["X"])
        #expect(log.lines.contains { $0.contains("merge") })
    }

    @Test func aDatabaseOfBeforeKnowsNone() async throws {
        let store = try state.open()
        try await store.setOwnName("Küche", device: "A")
        try store.close()
        let queue = try DatabaseQueue(path: state.file.path)
        try await queue.write { database in
            try database.execute(
                sql: """
                    DROP TABLE deviceMerge; DROP TABLE deviceApart;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '6:%'
                    """)
        }
        try queue.close()
        let again = try state.open()
        #expect(again.setAside == nil)
        #expect(try await again.identities() == StoredIdentities())
        #expect(try await again.ownNames() == ["A": "Küche"])
        try await again.setIdentities(try identities())
        #expect(try await again.identities() == identities())
    }
}
