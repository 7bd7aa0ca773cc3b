import Foundation

/// A program's log: one line per message on standard error, which the host collects from an extension.
package enum LogOutput {
    /// Writes a line the way swift-log's stream handlers do, which is how the host learns its level.
    ///
    /// - Parameters:
    ///   - level: A level of swift-log.
    ///   - source: What has something to say; shown before the text.
    package static func write(_ text: String, level: String, label: String, source: String) {
        // A newline inside would pass for a message of its own.
        let line = text.replacing("\n", with: " ")
        FileHandle.standardError.write(Data("\(time()) \(level) \(word(label)): [\(source)] \(line)\n".utf8))
    }

    /// The label ends where the first colon is, and has no space.
    private static func word(_ label: String) -> String {
        let word = String(label.map { $0.isWhitespace || $0 == ":" ? "-" : $0 })
        return word.isEmpty ? "log" : word
    }

    /// `2026-01-31T12:00:00+0000`.
    private static func time() -> String {
        var now = Foundation.time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
