import GRDB

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
