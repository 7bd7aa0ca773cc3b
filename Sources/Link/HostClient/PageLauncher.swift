package import HostInterface

/// The launcher of the page in the browser.
package enum PageLauncher {
    /// Starts `mdhost-page` unless one runs, and returns when it can be connected to.
    ///
    /// - Throws: ``HostError`` `host-unavailable`.
    package static func launch() throws(HostError) {
        guard let program = ProgramLauncher.find("mdhost-page", variable: "MDHOST_PAGE_PROGRAM") else {
            throw HostError(
                .hostUnavailable, "The program mdhost-page isn't installed beside mdhost.",
                remedy: "Install it, or set MDHOST_PAGE_PROGRAM to its path.")
        }
        try HostFolders.prepare(HostFolders.state())
        try ProgramLauncher(title: "page", program: program, log: try HostFolders.pageLog)
            .launch(["--ready-descriptor", "\(ProgramLauncher.readyDescriptor)"])
    }
}
