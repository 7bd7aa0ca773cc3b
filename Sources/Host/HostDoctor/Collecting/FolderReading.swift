import Foundation
import HostInterface

/// Checks whether the daemon can use its folders.
package enum FolderReading {
    package static func read(_ path: () throws -> String, for purpose: String) -> FolderFacts {
        do {
            return read(try path(), for: purpose)
        } catch {
            let reason = (error as? HostError)?.message ?? "\(error)"
            return FolderFacts(purpose: purpose, path: "", failure: "is not known: " + reason)
        }
    }

    package static func read(_ path: String, for purpose: String) -> FolderFacts {
        var facts = FolderFacts(purpose: purpose, path: path)
        var status = stat()
        guard lstat(path, &status) == 0 else {
            facts.failure = errno == ENOENT ? missing(path) : "cannot be looked at: \(String(cString: strerror(errno)))"
            return facts
        }
        if status.st_mode & S_IFMT != S_IFDIR {
            facts.failure = "isn't a folder"
        } else if status.st_uid != getuid() {
            facts.failure = "belongs to another user"
        } else if access(path, R_OK | W_OK | X_OK) != 0 {
            facts.failure = "cannot be written to: \(String(cString: strerror(errno)))"
        }
        var room = statvfs()
        if statvfs(path, &room) == 0 { facts.free = Int(clamping: room.f_bavail) * Int(clamping: room.f_frsize) }
        return facts
    }

    /// Returns the reason that a missing folder can't be created; `nil` if the daemon can create it.
    private static func missing(_ path: String) -> String? {
        var parent = path
        while let slash = parent.lastIndex(of: "/"), slash > parent.startIndex {
            parent = String(parent[..<slash])
            guard access(parent, F_OK) == 0 else { continue }
            return access(parent, W_OK | X_OK) == 0 ? nil : "is missing and \(parent) cannot be written to"
        }
        return "cannot be made"
    }
}
