import Foundation
import GRDB
package import HostCore
import HostInterface
import Logging

extension SQLiteStateStore {
    package func applicationRoutes() async throws -> [ApplicationRoute] {
        let records = try await read { database in
            try String.fetchAll(database, sql: "SELECT record FROM applicationRoute ORDER BY number")
        }
        let decoder = JSONDecoder()
        return records.compactMap { record in
            do {
                return try decoder.decode(ApplicationRoute.self, from: Data(record.utf8))
            } catch {
                logger.warning("a stored route of an app cannot be read, and is not taken up again")
                return nil
            }
        }
    }

    package func keep(_ route: ApplicationRoute) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let record: String
        do {
            record = String(decoding: try encoder.encode(route), as: UTF8.self)
        } catch {
            throw HostError(
                .internalFailure, "The route \(route.id) cannot be stored: \(FailureReason.text(of: error)).")
        }
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO applicationRoute (id, record) VALUES (?, ?)
                    ON CONFLICT (id) DO UPDATE SET record = excluded.record
                    """,
                arguments: [route.id, record])
        }
    }

    package func dropApplicationRoute(id: String) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM applicationRoute WHERE id = ?", arguments: [id])
        }
    }
}
