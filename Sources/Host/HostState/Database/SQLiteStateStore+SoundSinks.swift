import Foundation
import GRDB
package import HostCore

extension SQLiteStateStore: SoundSinkStore {
    package func soundSinks() async throws -> [SoundSinkRecord] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM soundSink ORDER BY number").map { row in
                let members: String? = row["members"]
                return SoundSinkRecord(
                    id: row["device"], name: row["name"],
                    members: try members.map { try JSONDecoder().decode([String].self, from: Data($0.utf8)) } ?? [],
                    hasOwnName: row["hasOwnName"], latency: row["latency"], delay: row["delay"],
                    isAutomatic: row["isAutomatic"])
            }
        }
    }

    package func keep(_ sink: SoundSinkRecord) async throws {
        let members =
            sink.members.isEmpty ? nil : String(decoding: try JSONEncoder().encode(sink.members), as: UTF8.self)
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO soundSink (device, name, latency, delay, isAutomatic, members, hasOwnName)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (device) DO UPDATE SET
                        name = excluded.name, latency = excluded.latency, delay = excluded.delay,
                        isAutomatic = excluded.isAutomatic, members = excluded.members,
                        hasOwnName = excluded.hasOwnName
                    """,
                arguments: [
                    sink.id, sink.name, sink.latency, sink.delay, sink.isAutomatic, members, sink.hasOwnName,
                ])
        }
    }

    package func dropSoundSink(id: String) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM soundSink WHERE device = ?", arguments: [id])
        }
    }
}
