import Foundation
import GRDB
package import HostCore
import HostInterface
import Logging

extension SQLiteStateStore {
    package func identities() async throws -> StoredIdentities {
        let (merges, apart) = try await read { database in
            (
                try String.fetchAll(database, sql: "SELECT merge FROM deviceMerge ORDER BY device"),
                try Set(String.fetchAll(database, sql: "SELECT device FROM deviceApart"))
            )
        }
        let decoder = JSONDecoder()
        return StoredIdentities(
            merges: merges.compactMap { merge in
                do {
                    return try decoder.decode(DeviceMerge.self, from: Data(merge.utf8))
                } catch {
                    logger.warning("a stored merge of devices cannot be read, and its devices are by themselves again")
                    return nil
                }
            }, apart: apart)
    }

    package func setIdentities(_ identities: StoredIdentities) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let merges = try identities.merges.map { merge in
            do {
                return (merge.id, String(decoding: try encoder.encode(merge), as: UTF8.self))
            } catch {
                throw HostError(
                    .internalFailure, "The merge of \(merge.id) cannot be stored: \(FailureReason.text(of: error)).")
            }
        }
        try await write { database in
            try database.execute(sql: "DELETE FROM deviceMerge; DELETE FROM deviceApart")
            for (device, merge) in merges {
                try database.execute(
                    sql: "INSERT INTO deviceMerge (device, merge) VALUES (?, ?)", arguments: [device, merge])
            }
            for device in identities.apart {
                try database.execute(sql: "INSERT INTO deviceApart (device) VALUES (?)", arguments: [device])
            }
        }
    }
}
