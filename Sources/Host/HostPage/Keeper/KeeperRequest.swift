import HostInterface

/// What the confined page asks of its keeper, the process that started it: one word, with a socket for the answer.
enum KeeperRequest: String, Sendable, CaseIterable {
    /// A connection to the daemon, which is started if it doesn't run.
    case connect
    /// The output of `mdhost doctor --json`.
    case doctor
    /// A simulated device; there is at most one.
    case demo
}

/// The answer of the keeper: one message, with a descriptor if one was asked for.
enum KeeperAnswer: Sendable, Hashable {
    case done
    case failed(HostError)

    /// The longest text of a message.
    static let longest = 4_096

    var bytes: [UInt8] {
        switch self {
        case .done: Array("done".utf8)
        case .failed(let error):
            Array(
                [error.code.rawValue, error.message, error.remedy ?? ""].joined(separator: "\n").utf8.prefix(
                    Self.longest))
        }
    }

    /// `nil` for what isn't an answer.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if text == "done" {
            self = .done
            return
        }
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 3, !lines[1].isEmpty else { return nil }
        self = .failed(
            HostError(HostError.Code(rawValue: lines[0]), lines[1], remedy: lines[2].isEmpty ? nil : lines[2]))
    }
}
