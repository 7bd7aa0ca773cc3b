package import Foundation
import GRDB
package import HostCore
package import HostInterface
package import Logging
import Synchronization

/// The host's state in an SQLite file. Secrets go to a ``SecretStore`` if one accepts them.
///
/// A change is on the disk when its call returns: the write-ahead log is synced at every commit.
package final class SQLiteStateStore: StateStore {
    /// Devices not seen for longer are forgotten when the store is opened.
    package static let longestMemory: TimeInterval = 180 * 24 * 3600

    /// The existing database that couldn't be used, to be shown to the user.
    package let setAside: StateFile.SetAside?

    private let file: StateFile
    private let queue: DatabaseQueue
    private let secrets: (any SecretStore)?
    let logger: Logger
    /// The size of the devices stored since the limits were last enforced.
    let growth = Mutex(0)

    /// - Parameter secrets: The store to try first for every secret. The file stores the secrets it refuses.
    /// - Throws: ``HostError`` `storage-failed`.
    package init(
        _ file: StateFile, secrets: (any SecretStore)? = nil, logger: Logger, now: Date = Date()
    ) throws(HostError) {
        self.file = file
        self.secrets = secrets
        self.logger = logger
        (queue, setAside) = try file.open(now: now)
        do {
            let removed = try queue.write { database in
                try database.execute(
                    sql: "DELETE FROM networkDevice WHERE lastSeen < ?",
                    arguments: [now.timeIntervalSince1970 - Self.longestMemory])
                return try DeviceTableLimits.enforce(in: database)
            }
            if removed > 0 {
                try queue.vacuum()
                logger.warning(
                    "The stored devices took too much space: \(removed) were forgotten and are found again by themselves"
                )
            }
        } catch {
            throw HostError(storage: error, path: file.path)
        }
    }

    package func cachedDevices(network: String) async throws -> [CachedDevice] {
        let rows = try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT device, extension, description, lastSeen FROM networkDevice WHERE network = ?
                    ORDER BY lastSeen DESC, device
                    """,
                arguments: [network]
            ).map {
                (
                    id: $0["device"] as String, owner: $0["extension"] as String, text: $0["description"] as String,
                    lastSeen: $0["lastSeen"] as Double
                )
            }
        }
        let decoder = JSONDecoder()
        return rows.compactMap { row in
            guard let description = try? decoder.decode(DeviceDescription.self, from: Data(row.text.utf8)) else {
                logger.warning("the stored description of device \(row.id) cannot be read; it is found again by itself")
                return nil
            }
            return CachedDevice(
                description: description, extensionIdentifier: row.owner,
                lastSeen: Date(timeIntervalSince1970: row.lastSeen))
        }
    }

    package func remember(_ device: CachedDevice, network: String) async throws {
        try await remember([device], network: network)
    }

    /// All or none.
    package func remember(_ devices: [CachedDevice], network: String) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let rows = try devices.map { device in
            do {
                return (device, String(decoding: try encoder.encode(device.description), as: UTF8.self))
            } catch {
                throw HostError(
                    .internalFailure,
                    "Device \(device.description.id) cannot be stored: \(FailureReason.text(of: error)).")
            }
        }
        let added = rows.reduce(0) { $0 + $1.1.utf8.count }
        let isDue = growth.withLock { growth in
            growth += added
            guard growth > DeviceTableLimits.slack else { return false }
            growth = 0
            return true
        }
        try await write { database in
            let statement = try database.makeStatement(
                sql: """
                    INSERT INTO networkDevice (network, device, extension, description, lastSeen)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET extension = excluded.extension, description = excluded.description,
                    lastSeen = excluded.lastSeen
                    """)
            for (device, description) in rows {
                try statement.execute(arguments: [
                    network, device.description.id, device.extensionIdentifier, description,
                    device.lastSeen.timeIntervalSince1970,
                ])
            }
            if isDue { _ = try DeviceTableLimits.enforce(in: database) }
        }
    }

    package func forgetCachedDevice(id: String) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM networkDevice WHERE device = ?", arguments: [id])
        }
    }

    package func forgetCachedDevices(exceptOf extensions: Set<String>) async throws {
        try await write { database in
            let known = try String.fetchSet(database, sql: "SELECT DISTINCT extension FROM networkDevice")
            for gone in known.subtracting(extensions) {
                try database.execute(sql: "DELETE FROM networkDevice WHERE extension = ?", arguments: [gone])
            }
        }
    }

    package func pairedDevices() async throws -> Set<String> {
        try await read { database in
            try Set(String.fetchAll(database, sql: "SELECT device FROM credential"))
        }
    }

    package func credential(device: String) async throws -> Data? {
        let row = try await read { database in
            try Row.fetchOne(
                database, sql: "SELECT secret FROM credential WHERE device = ?", arguments: [device]
            ).map { $0["secret"] as Data? }
        }
        guard let row else { return nil }
        if let secret = row { return secret }
        guard let secrets else {
            throw HostError(
                .storageFailed,
                "The pairing of device \(device) is kept by the Secret Service, and none runs; unlock the keyring or "
                    + "pair the device again.")
        }
        return try await secrets.secret(device: device)
    }

    package func setCredential(_ secret: Data?, device: String) async throws {
        guard let secret else {
            try await removeCredential(device: device)
            return
        }
        var stored: Data? = secret
        if let secrets {
            do throws(HostError) {
                try await secrets.setSecret(secret, device: device)
                stored = nil
            } catch {
                logger.notice("the Secret Service did not take the pairing of \(device): \(error.message)")
            }
        }
        let kept = stored
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO credential (device, secret) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET secret = excluded.secret
                    """,
                arguments: [device, kept])
        }
    }

    /// Closes the file; later calls fail.
    package func close() throws(HostError) {
        do {
            try queue.close()
        } catch {
            throw HostError(storage: error, path: file.path)
        }
    }

    private func removeCredential(device: String) async throws {
        // Delete the row first: without it the device counts as unpaired, even if the Secret Service still has the
        // secret.
        let wasElsewhere = try await write { database in
            let row = try Row.fetchOne(
                database, sql: "DELETE FROM credential WHERE device = ? RETURNING secret", arguments: [device])
            return row.map { ($0["secret"] as Data?) == nil } ?? false
        }
        try await eraseJournal()
        guard wasElsewhere, let secrets else { return }
        do throws(HostError) {
            try await secrets.removeSecret(device: device)
        } catch {
            logger.warning("the Secret Service keeps the pairing of \(device): \(error.message)")
        }
    }

    /// Empties the journal. Deleted data is overwritten in the file, but stays in the journal until then.
    func eraseJournal() async throws(HostError) {
        do {
            _ = try await queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch {
            throw HostError(storage: error, path: file.path)
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(HostError) -> Value {
        do {
            return try await queue.read(body)
        } catch {
            throw HostError(storage: error, path: file.path)
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(HostError) -> Value {
        do {
            return try await queue.write(body)
        } catch {
            throw HostError(storage: error, path: file.path)
        }
    }
}
