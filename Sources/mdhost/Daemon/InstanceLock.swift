import Foundation
import HostInterface

/// Holds the lock that makes this daemon the only one of its user; the kernel lets go of it when the process dies.
struct InstanceLock {
    private let descriptor: Int32
    /// The offset of the mark in the file, after the process number.
    private let markOffset: off_t

    /// - Returns: `nil` if another daemon holds the lock.
    /// - Throws: ``HostError`` `storage-failed` if the lock file cannot be opened.
    static func take(_ path: String) throws(HostError) -> InstanceLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw HostError(.storageFailed, "The lock \(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        // A daemon that died may have left text in the file.
        _ = ftruncate(descriptor, 0)
        let holder = "\(getpid())\n"
        _ = holder.withCString { pwrite(descriptor, $0, holder.utf8.count, 0) }
        return InstanceLock(descriptor: descriptor, markOffset: off_t(holder.utf8.count))
    }

    private init(descriptor: Int32, markOffset: off_t) {
        self.descriptor = descriptor
        self.markOffset = markOffset
    }

    /// Shows readers of the file whether the holder accepts connections.
    func tellServing(_ isServing: Bool) {
        _ = ftruncate(descriptor, markOffset)
        if isServing { _ = Self.mark.withCString { pwrite(descriptor, $0, Self.mark.utf8.count, markOffset) } }
    }

    /// Returns whether the lock's holder has declared that it accepts connections.
    static func isServing(_ path: String) -> Bool { lines(path).dropFirst().first == mark.dropLast() }

    /// Returns the process that wrote its number last; it holds the lock only if taking the lock fails.
    static func holder(_ path: String) -> Int32? {
        lines(path).first.flatMap { Int32($0) }.flatMap { $0 > 1 ? $0 : nil }
    }

    private static func lines(_ path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
    }

    private static let mark = "serving\n"

    func release() { close(descriptor) }
}
