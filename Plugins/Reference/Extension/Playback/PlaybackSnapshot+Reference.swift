import MediaDevice
import PlaybackKit
import ReferenceProtocol

extension PlaybackSnapshot {
    private static let receiverSpeeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3, 4]
    private static let receiverScanSpeeds = [-32.0, -16, -8, -4, -2, 2, 4, 8, 16, 32]

    /// Creates the snapshot of a state whose position is the current one.
    init(_ playback: ReferencePlayback) {
        let isSeekable = !playback.isLive && playback.application == nil
        self.init(isPlaying: playback.isPlaying, position: playback.position, duration: playback.duration)
        // Each report is about a change.
        positionTolerance = 0.02
        // Receivers wait for each other, too.
        isBuffering = playback.isBuffering || playback.isPlaying && playback.rate == 0
        isLive = playback.isLive
        hasAudio = playback.application == nil
        canSeek = isSeekable
        speed = playback.speed
        speeds = playback.isLive ? [] : Self.receiverSpeeds
        scanSpeed = playback.scanSpeed
        scanSpeeds = isSeekable ? Self.receiverScanSpeeds : []
        segments = playback.segments.map(AVPlaybackUserInterfaceTimelineSegment.init)
        title = playback.title
        subtitle = playback.subtitle
        audio = PlaybackOptions(playback, .audio)
        audioDescriptions = PlaybackOptions(playback, .audioDescription)
        subtitles = PlaybackOptions(playback, .subtitles)
    }
}

extension PlaybackOptions {
    fileprivate init(_ playback: ReferencePlayback, _ list: ReferencePlayback.List) {
        self.init(
            playback.options(of: list).map { PlaybackOption(id: $0.id, name: $0.name, language: $0.language) },
            current: playback.selected[list.rawValue])
    }
}

extension AVPlaybackUserInterfaceTimelineSegment {
    fileprivate convenience init(_ segment: ReferencePlayback.Segment) {
        self.init(
            timeRange: CMTimeRange(
                start: CMTime(seconds: segment.start, preferredTimescale: 1_000_000_000),
                duration: CMTime(seconds: segment.duration, preferredTimescale: 1_000_000_000)),
            segmentType: .init(segment.kind), marked: segment.kind == .advertisement,
            requiresLinearPlayback: segment.isLinear, identifier: segment.id)
    }
}

extension AVPlaybackUserInterfaceTimelineSegmentType {
    fileprivate init(_ kind: ReferencePlayback.Segment.Kind) {
        switch kind {
        case .primary: self = .primary
        case .advertisement: self = .advertisement
        case .bonus: self = .bonus
        case .credits: self = .credits
        case .intro: self = .intro
        case .recap: self = .recap
        case .trailer: self = .trailer
        case .other: self = .other
        }
    }
}

extension ReferenceCommand {
    /// Creates the command that performs a request.
    init(_ wish: PlayerWish) {
        self =
            switch wish {
            case .setPlaying(let isPlaying): isPlaying ? .resume : .pause
            case .seek(let position): .seek(position: position)
            case .setSpeed(let speed): .setSpeed(speed: speed)
            case .scan(let speed): .scan(speed: speed)
            case .setVolume(let level): .setVolume(level: level)
            case .changeVolume(let steps): .changeVolume(steps: steps)
            case .setMuted(let isMuted): .setMuted(muted: isMuted)
            case .selectAudio(let id): .select(list: .audio, option: id)
            case .selectAudioDescription(let id): .select(list: .audioDescription, option: id)
            case .selectSubtitles(let id): .select(list: .subtitles, option: id)
            }
    }
}

extension ReferenceMedia {
    init(_ media: PlayableMedia) {
        self.init(
            url: media.url.absoluteString, title: media.title, artist: media.artist, contentType: media.contentType,
            duration: media.duration, position: media.startPosition)
    }
}
