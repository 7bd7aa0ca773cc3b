import Foundation
import HostInterface

/// Holds the lock that makes this daemon the only one of its user; the kernel lets go of it when the process dies.
struct InstanceLock {
    private let descriptor: Int32

    /// - Returns: `nil` where another daemon holds the lock.
    /// - Throws: ``HostError`` `storage-failed` where the lock file cannot be opened.
    static func take(_ path: String) throws(HostError) -> InstanceLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw HostError(.storageFailed, "The lock \(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        // What one that died left in it.
        _ = ftruncate(descriptor, 0)
        return InstanceLock(descriptor: descriptor)
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Tells others who look at the file whether the holder can be connected to.
    func tellServing(_ isServing: Bool) {
        _ = ftruncate(descriptor, 0)
        if isServing { _ = Self.mark.withCString { pwrite(descriptor, $0, Self.mark.utf8.count, 0) } }
    }

    /// Whether the lock's holder said that it can be connected to.
    static func isServing(_ path: String) -> Bool {
        (try? String(contentsOfFile: path, encoding: .utf8)) == mark
    }

    private static let mark = "serving\n"

    func release() { close(descriptor) }
}
