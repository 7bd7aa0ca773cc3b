import Foundation
import Glibc
import HostInterface

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

    private static func failure(_ path: String) -> HostError {
        HostError(.storageFailed, "Couldn't write \(path): \(String(cString: strerror(errno))).")
    }
}
