import HostClient
import HostInterface

/// The gateway's own program, which has TLS and HTTP/2, and the same options.
enum PushProgram {
    static let name = "mdhost-push"

    /// Replaces this process by the gateway's program, with the same arguments.
    ///
    /// - Returns: The reason why it can't.
    static func become() -> HostError {
        guard InstalledPrograms.find(name) != nil else {
            return HostError(
                .notSupported, "The push gateway isn't installed: its program \(name) is in the package of that name.")
        }
        return InstalledPrograms.become(name, arguments(CommandLine.arguments))
    }

    /// Returns the arguments after `push`.
    static func arguments(_ words: [String]) -> [String] {
        Array(words.drop { $0 != "push" }.dropFirst())
    }
}
