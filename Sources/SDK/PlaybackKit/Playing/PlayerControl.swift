import Foundation
import MediaDevice
import Observation

/// The playback control of every extension built with the kit. It shows the device's latest snapshot and turns writes
/// into requests.
///
/// A written value shows at once. The device's first report after the request confirms or corrects it; a refusal
/// reverts it.
@MainActor
@Observable
final class PlayerControl: AVPlaybackUserInterfaceControllable {
    private var snapshot: PlaybackSnapshot
    private var level: PlayerLevel?
    /// The written values that the device hasn't confirmed.
    private var asked: [PlayerWish.Kind: PlayerWish] = [:]
    private var isConnected = true
    private(set) var error: (any Error)?
    private(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition
    private(set) var metadata = AVPlaybackUserInterfaceContentMetadata()

    @ObservationIgnored private var media: PlayableMedia
    @ObservationIgnored private let wish: @MainActor (PlayerWish) -> Void
    @ObservationIgnored private var positions = PositionTracker()
    @ObservationIgnored private var isOver = false

    /// Creates the control of one playback.
    ///
    /// - Parameter wish: A function that queues a request. It must not block.
    init(_ media: PlayableMedia, level: PlayerLevel?, wish: @escaping @MainActor (PlayerWish) -> Void) {
        self.media = media
        self.level = level
        self.wish = wish
        var snapshot = PlaybackSnapshot(isPlaying: true, position: media.startPosition ?? 0, duration: media.duration)
        snapshot.isReady = false
        snapshot.isBuffering = true
        self.snapshot = snapshot
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: Self.time(snapshot.position), hostTime: Self.time(snapshot.time), rate: 0)
        showMetadata()
    }

    // MARK: Events of the device

    func update(_ snapshot: PlaybackSnapshot) {
        guard !isOver else { return }
        var new = snapshot
        // The position has a property of its own. Kept here, too, it would renew all others with each report.
        new.position = self.snapshot.position
        new.time = self.snapshot.time
        if self.snapshot != new { self.snapshot = new }
        publish(positions.observe(snapshot))
        showMetadata()
    }

    /// Shows the app's other description of the media.
    func show(_ media: PlayableMedia) {
        guard !isOver else { return }
        self.media = media
        showMetadata()
    }

    func update(_ level: PlayerLevel) {
        if self.level != level { self.level = level }
    }

    /// Discards the written values of these kinds: the device's report counts again.
    func settle(_ kinds: some Sequence<PlayerWish.Kind>) {
        for kind in kinds where asked[kind] != nil { asked[kind] = nil }
    }

    func connectionLost() {
        isConnected = false
        publish(positions.freeze(at: CMClockGetTime(.hostTimeClock).seconds))
    }

    func connectionReturned() { isConnected = true }

    /// Ends the control; later writes have no effect.
    func finish(_ error: (any Error)?) {
        guard !isOver else { return }
        isOver = true
        publish(positions.freeze(at: CMClockGetTime(.hostTimeClock).seconds))
        asked = [:]
        snapshot.isPlaying = false
        snapshot.isBuffering = false
        self.error = error
    }

    private func publish(_ anchor: PositionTracker.Anchor?) {
        guard let anchor else { return }
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: Self.time(anchor.value), hostTime: Self.time(anchor.time), rate: Float(anchor.rate))
    }

    private func ask(_ new: PlayerWish) {
        guard !isOver else { return }
        asked[new.kind] = new
        wish(new)
    }

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }

    // MARK: Playing

    var isReady: Bool { snapshot.isReady }
    var isBuffering: Bool { snapshot.isBuffering || !isConnected && !isOver }
    var containsLiveStreamingContent: Bool { snapshot.isLive }

    var isPlaying: Bool {
        get { if case .setPlaying(let isPlaying)? = asked[.playing] { isPlaying } else { snapshot.isPlaying } }
        set { ask(.setPlaying(newValue)) }
    }

    var playbackSpeed: Float {
        get { if case .setSpeed(let speed)? = asked[.speed] { Float(speed) } else { Float(snapshot.speed) } }
        set {
            let speeds = snapshot.speeds
            guard let slowest = speeds.min(), let fastest = speeds.max() else {
                return PlaybackRefusal.refuse("This device plays at one speed.")
            }
            let wanted = Double(newValue)
            guard (slowest...fastest).contains(wanted) else {
                return PlaybackRefusal.refuse("This device plays at speeds from \(slowest) to \(fastest).")
            }
            // The nearest speed that the device has.
            if let speed = speeds.min(by: { abs($0 - wanted) < abs($1 - wanted) }) { ask(.setSpeed(speed)) }
        }
    }

    /// The features that the device lacks. Scanning and audio descriptions keep their defaults, which refuse them.
    var unsupportedFeatures: AVPlaybackUserInterfaceFeatures {
        var features: AVPlaybackUserInterfaceFeatures = []
        if snapshot.speeds.isEmpty { features.insert(.playbackSpeed) }
        if level?.volume == nil { features.insert(.volume) }
        if level?.isMuted == nil { features.insert(.mute) }
        return features
    }

    // MARK: Time

    private var isSeekable: Bool { snapshot.canSeek && !snapshot.isLive }
    var timeRange: CMTimeRange { CMTimeRange(start: .zero, duration: Self.time(snapshot.duration ?? 0)) }
    var seekableTimeRanges: [CMTimeRange]? { isSeekable ? nil : [] }
    var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { isSeekable ? .seek : [] }

    func seek(to position: CMTime, tolerance: CMTime) {
        guard isSeekable else { return PlaybackRefusal.refuse("You can't seek in this.") }
        guard position.isNumeric else { return }
        let target = max(0, position.seconds)
        ask(.seek(snapshot.duration.map { min($0, target) } ?? target))
    }

    // MARK: Tracks

    var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] {
        snapshot.audio.available.map { $0.shown(.audible) }
    }
    var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] {
        snapshot.subtitles.available.map { $0.shown(.legible) }
    }

    var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get {
            var current = snapshot.audio.current
            if case .selectAudio(let id)? = asked[.audio] { current = id }
            return audioOptions.first { $0.identifier == current }
        }
        set { ask(.selectAudio(newValue?.identifier)) }
    }

    var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get {
            var current = snapshot.subtitles.current
            if case .selectSubtitles(let id)? = asked[.subtitles] { current = id }
            return legibleOptions.first { $0.identifier == current }
        }
        set { ask(.selectSubtitles(newValue?.identifier)) }
    }

    // MARK: Sound

    var volume: Float {
        get { if case .setVolume(let volume)? = asked[.volume] { Float(volume) } else { Float(level?.volume ?? 0) } }
        set {
            guard level?.volume != nil else {
                return PlaybackRefusal.refuse("The volume of this device can't be set.")
            }
            guard newValue.isFinite else { return }
            ask(.setVolume(Double(max(0, min(1, newValue)))))
        }
    }

    var isMuted: Bool {
        get { if case .setMuted(let isMuted)? = asked[.mute] { isMuted } else { level?.isMuted ?? false } }
        set {
            guard level?.isMuted != nil else { return PlaybackRefusal.refuse("This device can't be muted.") }
            ask(.setMuted(newValue))
        }
    }

    // MARK: Metadata

    /// Updates the metadata. The app's title takes precedence; the device's changing title, for example of a radio
    /// station, then becomes the subtitle.
    private func showMetadata() {
        let subtitle = media.artist ?? (media.title == nil || snapshot.title == media.title ? nil : snapshot.title)
        let artwork = media.artworkURL ?? snapshot.artworkURL
        let new = AVPlaybackUserInterfaceContentMetadata(
            videoProperties: snapshot.hasVideo ? .init(presentationSize: .zero) : nil,
            title: media.title ?? snapshot.title, subtitle: subtitle ?? snapshot.subtitle,
            artworkRepresentations: artwork.map { [.artwork(url: $0, contentType: .image, size: .zero)] } ?? [])
        if new != metadata { metadata = new }
    }
}

extension PlaybackOption {
    fileprivate func shown(_ characteristic: AVMediaCharacteristic) -> AVPlaybackUserInterfaceMediaSelectionOption {
        AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: name, identifier: id, language: language.map { Locale.Language(identifier: $0) },
            mediaCharacteristics: [characteristic])
    }
}
