public import DeviceConnections

/// The reason that communication with an MPD server failed.
public enum MPDError: Error, Sendable, Hashable {
    /// The server answered a command with `ACK`.
    case refused(MPDRefusal)
    /// A command cannot be written: a line break in an argument, or longer than the server's line buffer.
    case invalidCommand(String)
    /// The connection has ended, or couldn't be made.
    case transport(TransportFailure)

    /// One sentence for people.
    public var sentence: String {
        switch self {
        case .refused(let refusal): refusal.sentence
        case .invalidCommand(let reason): "The request can't be sent to an MPD server: \(reason)."
        case .transport(let failure): failure.sentence
        }
    }
}
