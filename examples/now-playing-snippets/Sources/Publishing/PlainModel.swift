import NowPlaying
import Observation

/// The shortest form: the protocol isolates the class.
@Observable
public final class PlainModel: MediaSessionRepresentable {
    public nonisolated let id = "plain"
    @MainActor public var title: String?

    @MainActor
    public init() {}

    public var content: (any MediaContentRepresentable)? {
        title.map { MovieContent(id: $0, title: $0, duration: nil, artwork: nil) }
    }

    public var playbackSnapshot: MediaPlaybackSnapshot? { nil }
    public var commands: [MediaCommand] { [.play {}] }
}
