import GRDB
package import HostCore

extension SQLiteStateStore: MovedStreamStore {
    package func movedStreams() async throws -> [MovedStream] {
        try await read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT server, stream, application, output, origin FROM movedStream")
            return rows.map { row in
                MovedStream(
                    server: row["server"], stream: row["stream"], application: row["application"],
                    output: row["output"], origin: row["origin"])
            }
        }
    }

    package func keep(_ streams: [MovedStream]) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM movedStream")
            for stream in streams {
                try database.execute(
                    sql: """
                        INSERT INTO movedStream (server, stream, application, output, origin) VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [stream.server, stream.stream, stream.application, stream.output, stream.origin])
            }
        }
    }
}
