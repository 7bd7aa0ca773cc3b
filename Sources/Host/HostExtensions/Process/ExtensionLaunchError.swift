import HostInterface

/// The reason that a launch failed.
package enum ExtensionLaunchError: Error, Sendable, Hashable {
    /// The program could not be started; a sentence without its full stop.
    case notStarted(String)
    /// The extension runs, but isn't compatible with this host, for the reason in the sentence.
    case unusable(String)
    /// The process ended before its greeting.
    case ended(ExtensionExit)
}
