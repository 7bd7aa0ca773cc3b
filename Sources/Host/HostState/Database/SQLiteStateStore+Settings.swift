import Foundation
import GRDB
package import HostCore
package import HostInterface

extension SQLiteStateStore {
    private static let pausesOthersName = "pausesOthers"
    private static let exceptionsName = "certificateExceptions"
    private static let followingName = "sinkFollowing"

    package func pausesOthers() async throws -> Bool { try await setting(Self.pausesOthersName) == "true" }

    package func setPausesOthers(_ value: Bool) async throws {
        try await setSetting(Self.pausesOthersName, value ? "true" : "false")
    }

    package func certificateExceptions() async throws -> Set<String> {
        guard let text = try await setting(Self.exceptionsName) else { return [] }
        return try JSONDecoder().decode(Set<String>.self, from: Data(text.utf8))
    }

    package func setCertificateExceptions(_ servers: Set<String>) async throws {
        let text = String(decoding: try JSONEncoder().encode(servers.sorted()), as: UTF8.self)
        try await setSetting(Self.exceptionsName, text)
    }

    package func sinkFollowing() async throws -> SinkFollowing {
        guard let text = try await setting(Self.followingName) else { return SinkFollowing() }
        return try JSONDecoder().decode(SinkFollowing.self, from: Data(text.utf8))
    }

    package func keep(_ following: SinkFollowing) async throws {
        try await setSetting(Self.followingName, String(decoding: try JSONEncoder().encode(following), as: UTF8.self))
    }

    private func setting(_ name: String) async throws -> String? {
        try await read { database in
            try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
        }
    }

    /// - Parameter value: `nil` removes it.
    private func setSetting(_ name: String, _ value: String?) async throws {
        try await write { database in
            guard let value else {
                return try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
            }
            try database.execute(
                sql: """
                    INSERT INTO setting (name, value) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value
                    """,
                arguments: [name, value])
        }
    }
}

extension SQLiteStateStore: BrokerStore {
    private static let brokerName = "broker"

    package func brokerSettings() async throws -> BrokerSettings? {
        try await setting(Self.brokerName).map { try JSONDecoder().decode(BrokerSettings.self, from: Data($0.utf8)) }
    }

    package func keep(_ settings: BrokerSettings?) async throws {
        try await setSetting(
            Self.brokerName, try settings.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) })
        // The deleted or replaced value may be a password.
        try await eraseJournal()
    }
}
