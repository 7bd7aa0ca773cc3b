/// The place of a song in the person's queue, which otherwise stays as it is.
///
/// During playback the song goes right after the current one, so the queue continues where it was once the song ends.
/// Without playback it goes last, so that silence follows it and not the head of a queue that was not started.
public enum MPDPlacement: Sendable, Hashable {
    case last
    /// After the current song. The server determines the place (0.23 and later), so no other client can shift it.
    case afterCurrent
    /// At this place, for servers without relative places.
    case position(Int)

    public init(_ status: MPDStatus, version: MPDVersion) {
        guard status.state == .play, let current = status.songPosition else {
            self = .last
            return
        }
        self = version >= MPDVersion(0, 23) ? .afterCurrent : .position(current + 1)
    }

    public func command(adding address: String) -> MPDCommand {
        switch self {
        case .last: MPDCommand("addid", address)
        case .afterCurrent: MPDCommand("addid", address, "+0")
        case .position(let position): MPDCommand("addid", address, String(position))
        }
    }
}
