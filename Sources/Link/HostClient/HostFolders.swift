import Foundation
import Glibc
package import HostInterface
import PrivateFolders

/// The folders of the daemon's socket, log and database; see ``UserFolders``.
///
/// All functions throw ``HostError`` `storage-failed` if the environment has no home.
package enum HostFolders {
    /// Returns the folder of the socket: `$MDHOST_RUNTIME_DIRECTORY`, `$XDG_RUNTIME_DIR/mdhost`, or `run` in the state
    /// folder.
    package static func runtime(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HostError) -> String {
        if let folder = environment["MDHOST_RUNTIME_DIRECTORY"], !folder.isEmpty { return folder }
        if let folder = UserFolders(environment).runtime { return folder + "/mdhost" }
        return try state(environment) + "/run"
    }

    /// Returns the folder of the database and log: `$XDG_STATE_HOME/mdhost`, by default `~/.local/state/mdhost`.
    package static func state(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HostError) -> String {
        try own(UserFolders(environment).state, or: "XDG_STATE_HOME")
    }

    /// Returns the folder of temporary data: `$XDG_CACHE_HOME/mdhost`, by default `~/.cache/mdhost`.
    package static func cache(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HostError) -> String {
        try own(UserFolders(environment).cache, or: "XDG_CACHE_HOME")
    }

    /// Returns the folder of the user's extensions: `$XDG_DATA_HOME/mdhost/extensions`, by default
    /// `~/.local/share/mdhost/extensions`.
    package static func extensions(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HostError) -> String {
        try own(UserFolders(environment).data, or: "XDG_DATA_HOME") + "/extensions"
    }

    private static func own(_ base: String?, or variable: String) throws(HostError) -> String {
        guard let base else {
            throw HostError(.storageFailed, "The environment names no home folder. Set HOME or \(variable).")
        }
        return base + "/mdhost"
    }

    package static var socket: String { get throws(HostError) { try runtime() + "/socket" } }
    package static var log: String { get throws(HostError) { try state() + "/daemon.log" } }

    /// The folder of the page's browsers and settings.
    package static var page: String { get throws(HostError) { try state() + "/page" } }
    /// The socket of the page in the browser, for commands.
    package static var pageSocket: String { get throws(HostError) { try runtime() + "/page" } }
    package static var pageLog: String { get throws(HostError) { try state() + "/page.log" } }

    /// Creates a folder with mode 0700, or checks that it belongs to this user only.
    ///
    /// - Throws: ``HostError`` `storage-failed` if it can't be created, or belongs to another user.
    package static func prepare(_ folder: String) throws(HostError) {
        do {
            try PrivateFolder.make(folder)
        } catch {
            throw HostError(.storageFailed, "The folder \(folder) cannot be made: \(error)")
        }
        // By its descriptor, so that what is checked is what is changed.
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            status.st_uid == getuid()
        else {
            throw HostError(.storageFailed, "\(folder) is not a folder of this user.")
        }
        guard status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o700) == 0 else {
            throw HostError(.storageFailed, "\(folder) is open to other users and that cannot be changed.")
        }
    }
}
