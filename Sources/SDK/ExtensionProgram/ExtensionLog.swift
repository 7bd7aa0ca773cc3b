import Foundation

/// The extension's log: one line per message on standard error, which the host collects.
package enum ExtensionLog {
    /// Writes a warning the way swift-log's stream handlers do, which is how the host learns its level: extensions that
    /// use swift-log print the same.
    ///
    /// - Parameter label: The module that has something to say.
    package static func write(_ message: String, label: String = "MediaDevice") {
        // A newline inside would pass for a message of its own.
        let text = message.replacing("\n", with: " ")
        FileHandle.standardError.write(Data("\(time()) warning org.mdhost.sdk: [\(label)] \(text)\n".utf8))
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
