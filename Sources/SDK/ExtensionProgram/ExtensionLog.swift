import SystemLog

/// The SDK's messages in the extension's log.
package enum ExtensionLog {
    /// Writes a warning.
    ///
    /// - Parameter label: The module of the SDK.
    package static func write(_ message: String, label: String = "MediaDevice") {
        LogOutput.write(message, level: "warning", label: "org.mdhost.sdk", source: label)
    }
}
