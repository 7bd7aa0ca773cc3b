import GRDB
import HostCore

extension SQLiteStateStore: SoundSinkStore {
    package func soundSinks() async throws -> [SoundSinkRecord] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM soundSink ORDER BY number").map { row in
                SoundSinkRecord(
                    id: row["device"], name: row["name"], latency: row["latency"], isAutomatic: row["isAutomatic"])
            }
        }
    }

    package func keep(_ sink: SoundSinkRecord) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO soundSink (device, name, latency, isAutomatic) VALUES (?, ?, ?, ?)
                    ON CONFLICT (device) DO UPDATE SET
                        name = excluded.name, latency = excluded.latency, isAutomatic = excluded.isAutomatic
                    """,
                arguments: [sink.id, sink.name, sink.latency, sink.isAutomatic])
        }
    }

    package func dropSoundSink(id: String) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM soundSink WHERE device = ?", arguments: [id])
        }
    }
}
