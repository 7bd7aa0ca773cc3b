import Foundation
import HostInterface

/// Where the daemon's socket and log are, by the XDG base directory rules: a relative path counts as none.
package enum HostFolders {
    /// Holds the socket: `$MDHOST_RUNTIME_DIRECTORY`, `$XDG_RUNTIME_DIR/mdhost`, or `/tmp/mdhost-<uid>`.
    package static func runtime(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let folder = environment["MDHOST_RUNTIME_DIRECTORY"], !folder.isEmpty { return folder }
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { return folder + "/mdhost" }
        return "/tmp/mdhost-\(getuid())"
    }

    /// Holds database and log: `$XDG_STATE_HOME/mdhost`, by default `~/.local/state/mdhost`.
    package static func state(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder + "/mdhost" }
        return NSHomeDirectory() + "/.local/state/mdhost"
    }

    /// Holds what can be made again: `$XDG_CACHE_HOME/mdhost`, by default `~/.cache/mdhost`.
    package static func cache(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/mdhost" }
        return NSHomeDirectory() + "/.cache/mdhost"
    }

    package static var socket: String { runtime() + "/socket" }
    package static var log: String { state() + "/daemon.log" }

    /// Makes the folder with mode 0700, or checks that it is this user's and nobody else's.
    ///
    /// - Throws: ``HostError`` `storage-failed` where it cannot be made, or belongs to another user: in `/tmp` anyone
    ///   could have made it first.
    package static func prepare(_ folder: String) throws(HostError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw HostError(.storageFailed, "The folder \(folder) cannot be made: \(error.localizedDescription)")
        }
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
            throw HostError(.storageFailed, "\(folder) is not a folder of this user.")
        }
        guard status.st_mode & 0o077 == 0 || chmod(folder, 0o700) == 0 else {
            throw HostError(.storageFailed, "\(folder) is open to other users and that cannot be changed.")
        }
    }
}
