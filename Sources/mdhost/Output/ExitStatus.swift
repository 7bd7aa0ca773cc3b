import ArgumentParser
import HostInterface

/// The documented exit codes; 64 (usage) comes from the argument parser, 130 is the shell's for Ctrl-C.
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

    static func code(for error: HostError) -> ExitCode {
        switch error.code {
        case .noSuchDevice, .noSuchSession, .noSuchExtension, .noSuchSink: noSuchDevice
        case .ambiguousName: ambiguous
        case .authorizationFailed, .authorizationRequired: authorization
        case .unreachable, .timedOut, .unreachableURL, .reverseConnectionBlocked: unreachable
        case .unsupportedFormat, .notSupported, .cannotGroup: unsupported
        case .hostUnavailable: hostUnavailable
        case .invalidArgument, .fileNotFound, .notMerged: usage
        case .cancelled: interrupted
        default: failure
        }
    }
}
