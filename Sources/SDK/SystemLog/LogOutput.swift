import Foundation

/// A program's log on standard error, one line per message. The host collects that of an extension.
package enum LogOutput {
    /// Writes a line in the format of swift-log's stream handlers, from which the host reads the level.
    ///
    /// - Parameters:
    ///   - text: The message.
    ///   - level: A level of swift-log.
    ///   - label: The subsystem.
    ///   - source: The category, shown before the text.
    package static func write(_ text: String, level: String, label: String, source: String) {
        // A newline inside would pass for a message of its own.
        let line = text.replacing("\n", with: " ")
        // `write(_:)` ends the program if it fails, as on a full disk.
        try? FileHandle.standardError.write(
            contentsOf: Data("\(time()) \(level) \(word(label)): [\(source)] \(line)\n".utf8))
    }

    /// Returns a label without spaces and colons, because the first colon ends it.
    private static func word(_ label: String) -> String {
        let word = String(label.map { $0.isWhitespace || $0 == ":" ? "-" : $0 })
        return word.isEmpty ? "log" : word
    }

    /// Returns the current time, such as `2026-01-31T12:00:00+0000`.
    private static func time() -> String {
        var now = Foundation.time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
