import NowPlaying
import Observation

/// Isolated by its module; the conformance says so.
@Observable
public final class AmbientModel: @MainActor MediaSessionRepresentable {
    public let id = "ambient"
    public var isPlaying = false

    public init() {}

    public var content: (any MediaContentRepresentable)? {
        GenericContent(id: "rain", title: "Rain", type: .audio, duration: .continuous, artwork: nil)
    }

    public var playbackSnapshot: MediaPlaybackSnapshot? {
        MediaPlaybackSnapshot(state: isPlaying ? .playing() : .paused)
    }

    public var commands: [MediaCommand] {
        [.play { self.isPlaying = true }, .pause { [weak self] in self?.isPlaying = false }, .stop(silence)]
    }

    private func silence() async throws { isPlaying = false }
}

/// The plain conformance, for which the identifier must be nonisolated.
@Observable
public final class StationModel: MediaSessionRepresentable {
    public nonisolated let id = "station"
    public var programme: String?

    public init() {}

    public var content: (any MediaContentRepresentable)? {
        programme.map { RadioContent(id: "station", stationName: "Station", programName: $0, artwork: nil) }
    }

    public var playbackSnapshot: MediaPlaybackSnapshot? { nil }
    public var commands: [MediaCommand] { [] }
}

public func publish(_ model: AmbientModel) -> MediaSession<AmbientModel> { MediaSession(model) }
