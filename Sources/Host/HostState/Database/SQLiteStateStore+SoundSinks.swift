import GRDB
import HostCore

extension SQLiteStateStore: SoundSinkStore {
    package func soundSinks() async throws -> [SoundSinkRecord] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT device, name, latency FROM soundSink ORDER BY number").map { row in
                SoundSinkRecord(id: row["device"], name: row["name"], latency: row["latency"])
            }
        }
    }

    package func keep(_ sink: SoundSinkRecord) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO soundSink (device, name, latency) VALUES (?, ?, ?)
                    ON CONFLICT (device) DO UPDATE SET name = excluded.name, latency = excluded.latency
                    """,
                arguments: [sink.id, sink.name, sink.latency])
        }
    }

    package func dropSoundSink(id: String) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM soundSink WHERE device = ?", arguments: [id])
        }
    }
}
