import HostInterface

/// Why a launch did not lead to a running extension.
package enum ExtensionLaunchError: Error, Sendable, Hashable {
    /// The program could not be started; a sentence without its full stop.
    case notStarted(String)
    /// It runs, but not with this host; a sentence.
    case unusable(String)
    /// It ended, or was ended, before it introduced itself.
    case ended(ExtensionExit)
}
