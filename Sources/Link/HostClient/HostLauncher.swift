import Foundation
package import HostInterface

/// The launcher of the daemon. It starts the daemon in its own session, and waits until it listens.
package enum HostLauncher {
    /// Starts `mdhost daemon` unless one runs.
    ///
    /// A second daemon that starts at the same time finds the first one's lock and exits.
    ///
    /// - Parameter replacing: `true` if it takes over from the daemon that runs.
    /// - Throws: ``HostError`` `host-unavailable` with the path of the log.
    package static func launch(replacing: Bool = false) throws(HostError) {
        var launcher = ProgramLauncher(title: "daemon", program: try program(), log: try HostFolders.log)
        // The other one may take its time to leave, or have to be ended.
        if replacing { launcher.limit = 20_000 }
        try HostFolders.prepare(HostFolders.state())
        try launcher.launch(
            ["daemon", "--on-demand", "--ready-descriptor", "\(ProgramLauncher.readyDescriptor)"]
                + (replacing ? ["--replace"] : []))
    }

    /// Returns the `mdhost` program: `$MDHOST_PROGRAM`, this program itself, one next to it, or one in `$PATH`.
    package static func program() throws(HostError) -> String {
        guard let program = ProgramLauncher.find("mdhost", variable: "MDHOST_PROGRAM") else {
            throw HostError(
                .hostUnavailable, "The program mdhost is not in PATH; install it or set MDHOST_PROGRAM.")
        }
        return program
    }
}
