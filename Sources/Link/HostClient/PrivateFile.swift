package import Foundation
import Glibc
package import HostInterface

/// Files for this user only.
package enum PrivateFile {
    /// Replaces a file as a whole; its mode is 0600.
    ///
    /// - Throws: ``HostError`` `storage-failed`.
    package static func replace(_ path: String, with data: Data) throws(HostError) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(temporary) }
        let isWritten = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) == $0.count }
        let isKept = isWritten && fsync(descriptor) == 0
        close(descriptor)
        guard isKept, rename(temporary, path) == 0 else { throw failure(path) }
    }

    /// Reads a file in a folder where a confined program writes: it may have put a link, a pipe or a device there, or a
    /// file without an end.
    ///
    /// - Returns: `nil` if it isn't a regular file, has more than `limit` bytes, or can't be read.
    package static func contents(of path: String, limit: Int) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let data = try? file.read(upToCount: limit + 1) ?? Data(), data.count <= limit
        else { return nil }
        return data
    }

    private static func failure(_ path: String) -> HostError {
        HostError(.storageFailed, "Couldn't write \(path): \(String(cString: strerror(errno))).")
    }
}
