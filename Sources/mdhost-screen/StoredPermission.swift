import Foundation
import HostClient
import HostInterface

/// The desktop's permission to share the same screen again, in a file of this user.
struct StoredPermission {
    private static let longest = 4096

    let path: String

    /// Takes the permission out of the file, as it can be used once.
    ///
    /// - Returns: The permission; empty if there is none.
    func take() -> String {
        let data = PrivateFile.contents(of: path, limit: Self.longest)
        unlink(path)
        return data.flatMap { String(validating: $0, as: UTF8.self) } ?? ""
    }

    /// Keeps the next one.
    ///
    /// - Throws: ``HostError`` `storage-failed`.
    func keep(_ permission: String) throws(HostError) {
        guard permission.utf8.count <= Self.longest else { return }
        // The folder is the daemon's, which may never have run here.
        try? HostFolders.prepare((path as NSString).deletingLastPathComponent)
        try PrivateFile.replace(path, with: Data(permission.utf8))
    }
}
