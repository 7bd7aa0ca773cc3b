import Foundation
import Glibc
import HostInterface

/// A file opened once and served from that descriptor: whatever happens to its name afterwards changes nothing.
final class OpenedFile: Sendable {
    /// The file name without folders.
    let name: String
    private let descriptor: Int32

    /// The facts used for one request. A file may grow or shrink while it is served.
    struct Facts: Sendable, Hashable {
        /// Bytes.
        var size: Int64
        /// Seconds since 1970.
        var modified: Int
        /// Strong validator, quotes included.
        var tag: String
    }

    /// - Throws: ``HostError`` `file-not-found` if the file can't be read, or `invalid-argument` if it isn't a regular
    ///   file.
    init(_ file: URL) throws(HostError) {
        guard file.isFileURL else {
            throw HostError(.invalidArgument, "“\(file.absoluteString)” is not a local file.")
        }
        let path = file.path(percentEncoded: false)
        name = file.lastPathComponent
        descriptor = try Self.open(path)
    }

    /// Opens a regular file. Not in the initializer: if that throws with all properties set, the deinitializer runs and
    /// closes the descriptor again, which may be another's by then.
    private static func open(_ path: String) throws(HostError) -> Int32 {
        // A named pipe or a terminal would block or take over otherwise, before it could be refused.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw HostError(.fileNotFound, "“\(path)” cannot be read: \(String(cString: strerror(errno))).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HostError(.invalidArgument, "“\(path)” is not a regular file.")
        }
        return descriptor
    }

    deinit { close(descriptor) }

    /// The current facts; `nil` if the file system fails.
    var facts: Facts? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let modified = status.st_mtim
        let tag = [
            UInt64(status.st_ino), UInt64(status.st_size), UInt64(bitPattern: Int64(modified.tv_sec)),
            UInt64(bitPattern: Int64(modified.tv_nsec)),
        ].map { String($0, radix: 16) }.joined(separator: "-")
        return Facts(size: Int64(status.st_size), modified: modified.tv_sec, tag: "\"\(tag)\"")
    }

    /// Reads at most `buffer.count` bytes from `offset` on; blocks.
    ///
    /// - Returns: How many were read, 0 at the end of the file; `nil` if the file system fails.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { return nil }
        }
    }
}
