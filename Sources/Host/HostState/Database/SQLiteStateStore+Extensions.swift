import GRDB

extension SQLiteStateStore {
    package func disabledExtensions() async throws -> Set<String> {
        try await read { database in
            try Set(String.fetchAll(database, sql: "SELECT extension FROM disabledExtension"))
        }
    }

    package func setExtension(_ identifier: String, isEnabled: Bool) async throws {
        try await write { database in
            try database.execute(
                sql: isEnabled
                    ? "DELETE FROM disabledExtension WHERE extension = ?"
                    : "INSERT INTO disabledExtension (extension) VALUES (?) ON CONFLICT DO NOTHING",
                arguments: [identifier])
        }
    }
}
