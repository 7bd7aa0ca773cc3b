import Foundation
import GRDB
import HostCore
import HostInterface

extension SQLiteStateStore {
    private static let pausesOthersName = "pausesOthers"

    package func pausesOthers() async throws -> Bool {
        try await read { database in
            try String.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [Self.pausesOthersName]) == "true"
        }
    }

    package func setPausesOthers(_ value: Bool) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO setting (name, value) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value
                    """,
                arguments: [Self.pausesOthersName, value ? "true" : "false"])
        }
    }
}

extension SQLiteStateStore: BrokerStore {
    private static let brokerName = "broker"

    package func brokerSettings() async throws -> BrokerSettings? {
        let text = try await read { database in
            try String.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [Self.brokerName])
        }
        return try text.map { try JSONDecoder().decode(BrokerSettings.self, from: Data($0.utf8)) }
    }

    package func keep(_ settings: BrokerSettings?) async throws {
        let text = try settings.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try await write { database in
            guard let text else {
                return try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.brokerName])
            }
            try database.execute(
                sql: """
                    INSERT INTO setting (name, value) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value
                    """,
                arguments: [Self.brokerName, text])
        }
        // What was deleted or replaced may be a password.
        try await eraseJournal()
    }
}
