import Foundation
import GRDB
package import HostCore
import HostInterface
import Logging

extension SQLiteStateStore: RemoteSessionStore {
    package func lastRemoteSession() async throws -> Int {
        try await read { database in
            try Int.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'remoteSession'") ?? 0
        }
    }

    package func remoteSessions() async throws -> [RemoteSessionRecord] {
        let records = try await read { database in
            try String.fetchAll(database, sql: "SELECT record FROM remoteSession ORDER BY number")
        }
        let decoder = JSONDecoder()
        return records.compactMap { record in
            do {
                return try decoder.decode(RemoteSessionRecord.self, from: Data(record.utf8))
            } catch {
                logger.warning("a stored remote session cannot be read, and is not shown again")
                return nil
            }
        }
    }

    package func keep(_ session: RemoteSessionRecord) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let record = String(decoding: try encoder.encode(session), as: UTF8.self)
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO remoteSession (number, record) VALUES (?, ?)
                    ON CONFLICT (number) DO UPDATE SET record = excluded.record
                    """,
                arguments: [session.number, record])
        }
    }

    package func dropRemoteSession(number: Int) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM remoteSession WHERE number = ?", arguments: [number])
        }
    }
}
