import Foundation

/// The extension's log: one line per message on standard error, which the host collects.
enum ExtensionLog {
    static func write(_ message: String) {
        // A newline inside would pass for a message of its own.
        let line = message.replacing("\n", with: " ") + "\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
