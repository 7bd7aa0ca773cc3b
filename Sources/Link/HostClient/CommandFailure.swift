import Foundation
package import HostInterface

/// A command's report of an error: its exit code, and its line for programs.
package enum CommandFailure {
    /// Returns the documented exit code; 64 (usage) comes from the argument parser, too, and 130 is the shell's for
    /// Ctrl-C.
    package static func exitCode(for error: HostError) -> Int32 {
        switch error.code {
        case .noSuchDevice, .noSuchSession, .noSuchExtension, .noSuchSink: 2
        case .ambiguousName: 3
        case .authorizationFailed, .authorizationRequired: 4
        case .unreachable, .timedOut, .unreachableURL, .reverseConnectionBlocked: 5
        case .unsupportedFormat, .notSupported, .cannotGroup: 6
        case .hostUnavailable: 7
        case .invalidArgument, .fileNotFound, .notMerged: 64
        case .cancelled: 130
        default: 1
        }
    }

    /// Returns the error as JSON on one line; see docs/json.md.
    package static func json(_ error: HostError) -> String {
        struct Failure: Encodable {
            var error: Details
            struct Details: Encodable {
                var code: String
                var message: String
                var remedy: String?
                var canRetry: Bool
            }
        }
        let failure = Failure(
            error: .init(
                code: error.code.rawValue, message: error.message, remedy: error.remedy, canRetry: error.canRetry))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(failure)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
