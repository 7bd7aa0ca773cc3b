/// Why talking to an MPD server failed.
package enum MPDError: Error, Sendable, Hashable {
    /// The server answered a command with `ACK`.
    case refused(MPDRefusal)
    /// The peer's first line is not MPD's greeting; carries what it said, shortened to 80 characters.
    case notMPD(String)
    /// The peer broke the protocol after its greeting; carries what was wrong, for logs.
    case malformed(String)
    /// A line, a response or a binary chunk is larger than ``MPDLimits`` allows; carries which.
    case tooLarge(String)
    /// A command cannot be written: a line break in an argument, or longer than the server's line buffer.
    case invalidCommand(String)
    /// No connection could be made; carries the last address's reason.
    case unreachable(String)
    /// The connection ended; carries the reason.
    case disconnected(String)
    /// The server did not answer in time; carries what was waited for.
    case timedOut(String)
}

extension MPDError {
    /// One sentence for people.
    package var sentence: String {
        switch self {
        case .refused(let refusal): refusal.sentence
        case .notMPD(let greeting): "What answers there is no MPD server (it said “\(greeting)”)."
        case .malformed(let what): "The MPD server sent something that cannot be understood (\(what))."
        case .tooLarge(let what): "The MPD server sent \(what) too large to be accepted."
        case .invalidCommand(let why): "The request cannot be sent to an MPD server: \(why)."
        case .unreachable(let reason): "The MPD server cannot be reached: \(reason)."
        case .disconnected(let reason): "The connection to the MPD server ended: \(reason)."
        case .timedOut(let what): "The MPD server did not answer in time (\(what))."
        }
    }

    /// Whether a new connection may succeed where this one failed.
    package var canReconnect: Bool {
        switch self {
        case .unreachable, .disconnected, .timedOut, .malformed, .tooLarge: true
        case .refused, .notMPD, .invalidCommand: false
        }
    }
}
