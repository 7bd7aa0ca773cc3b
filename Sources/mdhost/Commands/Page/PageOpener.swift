import Foundation
import HostClient
import HostInterface

/// Opens links in the person's browser.
enum PageOpener {
    /// Opens a link by a file that leads to it: others can read the arguments of programs, but not the file.
    ///
    /// - Returns: `false` if there is no browser, or no desktop.
    /// - Throws: ``HostError`` `storage-failed`.
    static func open(_ link: String) async throws(HostError) -> Bool {
        let file = try HostFolders.runtime() + "/page.html"
        let text = """
            <!doctype html><meta charset="utf-8"><title>mdhost</title><meta http-equiv="refresh" content="0; url=\(link)">
            <p><a href="\(link)">Open the page</a>

            """
        try PrivateFile.replace(file, with: Data(text.utf8))
        // It may wait for the browser: on a thread of its own.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: run(file)) }
        }
    }

    private static func run(_ file: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xdg-open", file]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
