import Foundation
import GRDB
package import HostCore
import HostInterface
import Logging

extension SQLiteStateStore {
    package func adoptableSessions() async throws -> [AdoptableSession] {
        let records = try await read { database in
            try String.fetchAll(database, sql: "SELECT record FROM session ORDER BY number")
        }
        let decoder = JSONDecoder()
        return records.compactMap { record in
            do {
                return try decoder.decode(AdoptableSession.self, from: Data(record.utf8))
            } catch {
                logger.warning("a stored session cannot be read, and what it played is not taken up again")
                return nil
            }
        }
    }

    package func keep(_ session: AdoptableSession) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let record: String
        do {
            record = String(decoding: try encoder.encode(session), as: UTF8.self)
        } catch {
            throw HostError(
                .internalFailure, "Session \(session.id) cannot be stored: \(FailureReason.text(of: error)).")
        }
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO session (id, record) VALUES (?, ?)
                    ON CONFLICT (id) DO UPDATE SET record = excluded.record
                    """,
                arguments: [session.id, record])
        }
    }

    package func dropSession(id: String) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
        }
    }
}
