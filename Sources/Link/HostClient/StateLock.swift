import Foundation
package import HostInterface

/// Holds the lock that makes a daemon the only one of its state folder; the kernel lets go of it when the process dies.
///
/// The lock of the runtime folder does not do that: two daemons with different runtime folders can have one state folder.
package struct StateLock: Sendable {
    private let descriptor: Int32

    private static func path(_ folder: String) -> String { folder + "/state.lock" }

    /// - Parameter folder: The state folder, which is there.
    /// - Throws: ``HostError`` `storage-failed` if the lock file cannot be opened, or another daemon holds the lock.
    package static func take(_ folder: String) throws(HostError) -> StateLock {
        let path = path(folder)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw HostError(.storageFailed, "Couldn't open the lock \(path): \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw taken(folder)
        }
        ftruncate(descriptor, 0)
        let holder = "\(getpid())\n"
        _ = holder.withCString { pwrite(descriptor, $0, holder.utf8.count, 0) }
        return StateLock(descriptor: descriptor)
    }

    package func release() { close(descriptor) }

    /// Returns the reason no daemon can start with this state folder; `nil` if no daemon uses it.
    package static func obstacle(_ folder: String) -> HostError? {
        let descriptor = open(path(folder), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? nil : taken(folder)
    }

    private static func taken(_ folder: String) -> HostError {
        let text = (try? String(contentsOfFile: path(folder), encoding: .utf8)) ?? ""
        let holder = Int32(text.prefix { $0 != "\n" }).map { ", process \($0)," } ?? ""
        return HostError(
            .storageFailed, "Another mdhost daemon\(holder) uses the state folder \(folder).",
            remedy: "Use the same XDG_RUNTIME_DIR as that daemon, stop it, or set XDG_STATE_HOME to another folder.")
    }
}
