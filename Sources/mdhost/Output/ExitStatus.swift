import ArgumentParser
import HostClient
import HostInterface

/// The documented exit codes; see ``CommandFailure``.
enum ExitStatus {
    static let failure = ExitCode(1)
    static let noSuchDevice = ExitCode(2)
    static let ambiguous = ExitCode(3)
    static let authorization = ExitCode(4)
    static let unreachable = ExitCode(5)
    static let unsupported = ExitCode(6)
    static let hostUnavailable = ExitCode(7)
    static let usage = ExitCode(64)
    static let interrupted = ExitCode(130)

    static func code(for error: HostError) -> ExitCode { ExitCode(CommandFailure.exitCode(for: error)) }
}
