import Foundation
import GRDB
import HostInterface
import Logging
import PrivateFolders

/// The location of the state, and the rules for opening it: its file is never readable by others, and never reset
/// without notice.
package struct StateFile: Sendable, Hashable {
    /// An existing database that isn't used, with the reason.
    package struct SetAside: Sendable, Hashable {
        package enum Reason: Sendable, Hashable {
            /// Carries the database engine's message.
            case damaged(String)
            case newer
        }
        package let reason: Reason
        /// The path to which the database was moved.
        package let path: String

        /// A sentence for people.
        package var message: String {
            switch reason {
            case .damaged(let why):
                "The stored devices and pairings could not be read (\(why)); the file was moved to \(path), and devices "
                    + "have to be paired again."
            case .newer:
                "The stored devices and pairings were written by a newer version; the file was moved to \(path). Move "
                    + "it back before that version is started again."
            }
        }
    }

    /// The folder, absolute.
    package let folder: String
    package var path: String { folder + "/state.sqlite" }

    package init(folder: String) { self.folder = folder }

    /// Opens the database, and creates one if there is none or the old one had to be set aside.
    ///
    /// - Throws: ``HostError`` `storage-failed`, for example if the disk is full or read-only.
    func open(now: Date) throws(HostError) -> (queue: DatabaseQueue, setAside: SetAside?) {
        try prepareFolder()
        do {
            do {
                return (try connect(), nil)
            } catch let error as DatabaseError where error.isDamage {
                let place = try setAside("corrupt", now: now)
                return (try connect(), SetAside(reason: .damaged(error.message ?? "\(error.resultCode)"), path: place))
            } catch is WrittenByNewerVersion {
                let place = try setAside("newer", now: now)
                return (try connect(), SetAside(reason: .newer, path: place))
            }
        } catch {
            throw HostError(storage: error, path: path)
        }
    }

    private struct WrittenByNewerVersion: Error {}

    private func prepareFolder() throws(HostError) {
        try? PrivateFolder.make(folder)
        let descriptor = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HostError(storage: .current, path: folder) }
        defer { close(descriptor) }
        // A read-only file system is reported when the database is written.
        guard fchmod(descriptor, 0o700) == 0 || errno == EROFS else { throw HostError(storage: .current, path: folder) }
    }

    private func connect() throws -> DatabaseQueue {
        // The engine gives its side files the mode of the main one, so that has to be right before it is opened.
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFailure.current }
        let isPrivate = fchmod(descriptor, 0o600) == 0
        let failure = SystemFailure.current
        close(descriptor)
        guard isPrivate else { throw failure }

        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(5)
        configuration.label = "mdhost.state"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        do {
            let migrator = StateSchema.migrator
            try queue.read { database in
                if let complaint = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"), complaint != "ok" {
                    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: complaint)
                }
                guard try !migrator.hasBeenSuperseded(database) else { throw WrittenByNewerVersion() }
            }
            try migrator.migrate(queue)
        } catch {
            try? queue.close()
            throw error
        }
        return queue
    }

    private func setAside(_ word: String, now: Date) throws -> String {
        let stamp = now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        var place = "\(path).\(word)-\(stamp)"
        var count = 1
        while FileManager.default.fileExists(atPath: place) {
            count += 1
            place = "\(path).\(word)-\(stamp)-\(count)"
        }
        // The side files go first: a journal left beside a fresh database would be replayed into it.
        for suffix in ["-wal", "-shm", ""] {
            guard rename(path + suffix, place + suffix) == 0 || (errno == ENOENT && !suffix.isEmpty) else {
                throw SystemFailure.current
            }
        }
        return place
    }
}
