import SystemLog

/// The extension's log, as the SDK writes to it.
package enum ExtensionLog {
    /// Writes a warning.
    ///
    /// - Parameter label: The module that has something to say.
    package static func write(_ message: String, label: String = "MediaDevice") {
        LogOutput.write(message, level: "warning", label: "org.mdhost.sdk", source: label)
    }
}
