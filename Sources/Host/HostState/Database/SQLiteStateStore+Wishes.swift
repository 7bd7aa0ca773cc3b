import Foundation
import GRDB
package import HostCore
import HostInterface

/// The user's settings for devices: their names, and manually added addresses.
extension SQLiteStateStore {
    package func ownNames() async throws -> [String: String] {
        let rows = try await read { database in
            try Row.fetchAll(database, sql: "SELECT device, name FROM ownName").map {
                ($0["device"] as String, $0["name"] as String)
            }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    package func setOwnName(_ name: String?, device: String) async throws {
        try await write { database in
            guard let name else {
                return try database.execute(sql: "DELETE FROM ownName WHERE device = ?", arguments: [device])
            }
            try database.execute(
                sql: """
                    INSERT INTO ownName (device, name) VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name
                    """,
                arguments: [device, name])
        }
    }

    package func manualDevices() async throws -> [ManualDevice] {
        let texts = try await read { database in
            try String.fetchAll(database, sql: "SELECT device FROM manualDevice ORDER BY position")
        }
        let decoder = JSONDecoder()
        return texts.compactMap { try? decoder.decode(ManualDevice.self, from: Data($0.utf8)) }
    }

    /// All or none.
    package func setManualDevices(_ devices: [ManualDevice]) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let texts = try devices.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        try await write { database in
            try database.execute(sql: "DELETE FROM manualDevice")
            for (position, text) in texts.enumerated() {
                try database.execute(
                    sql: "INSERT INTO manualDevice (position, device) VALUES (?, ?)", arguments: [position, text])
            }
        }
    }
}
