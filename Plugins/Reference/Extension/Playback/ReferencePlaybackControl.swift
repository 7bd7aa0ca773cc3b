import Foundation
import MediaDevice
import Observation
import ReferenceProtocol

/// The playback control of a receiver: shows its last report, and sends every write as a command.
@MainActor
@Observable
final class ReferencePlaybackControl: AVPlaybackUserInterfaceControllable {
    private(set) var isReady = false
    private(set) var error: (any Error)?
    private(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition
    private var playback: ReferencePlayback
    private var level: Float
    private var isSilent: Bool
    private var mode = AVPlaybackUserInterfacePlaybackState.normal
    private var wantedScanSpeed: Float = 8

    /// The features that no receiver of this playback has.
    private let lacking: AVPlaybackUserInterfaceFeatures
    @ObservationIgnored private let send: @MainActor (ReferenceCommand) -> Void

    /// Creates a control.
    ///
    /// - Parameter send: A function that delivers a command. It must not block.
    init(
        _ playback: ReferencePlayback, volume: Float, isMuted: Bool, lacking: AVPlaybackUserInterfaceFeatures = [],
        send: @escaping @MainActor (ReferenceCommand) -> Void
    ) {
        self.playback = playback
        level = volume
        isSilent = isMuted
        self.lacking = lacking
        self.send = send
        playbackPosition = Self.position(of: playback)
        isReady = !playback.isBuffering
    }

    // MARK: State from the receiver

    /// Shows the receiver's report, which takes precedence over requested values.
    func update(_ playback: ReferencePlayback) {
        self.playback = playback
        playbackPosition = Self.position(of: playback)
        if !playback.isBuffering { isReady = true }
        if playback.scanSpeed == 0 {
            if mode == .scanning { mode = .normal }
        } else {
            wantedScanSpeed = Float(playback.scanSpeed)
            mode = .scanning
        }
    }

    func update(volume: Float, isMuted: Bool) {
        if level != volume { level = volume }
        if isSilent != isMuted { isSilent = isMuted }
    }

    /// Ends the control and stops its clock.
    func finish(_ error: (any Error)?) {
        playback.isPlaying = false
        playback.isBuffering = false
        self.error = error
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: playbackPosition.position(at: CMClockGetTime(.hostTimeClock)),
            hostTime: CMClockGetTime(.hostTimeClock), rate: 0)
    }

    // MARK: Playing

    var isPlaying: Bool {
        get { playback.isPlaying }
        set {
            playback.isPlaying = newValue
            send(newValue ? .resume : .pause)
        }
    }

    var isBuffering: Bool { playback.isBuffering }
    var containsLiveStreamingContent: Bool { playback.isLive }
    var unsupportedFeatures: AVPlaybackUserInterfaceFeatures {
        playback.isLive ? lacking.union(.playbackSpeed) : lacking
    }

    var playbackSpeed: Float {
        get { Float(playback.speed) }
        set {
            guard (0.25...4).contains(newValue) else {
                return PlaybackRefusal.refuse("The speed is 0.25 to 4.")
            }
            send(.setSpeed(speed: Double(newValue)))
        }
    }

    var scanSpeed: Float {
        get { wantedScanSpeed }
        set {
            guard (-32...32).contains(newValue) else {
                return PlaybackRefusal.refuse("It scans at up to 32 times normal speed.")
            }
            wantedScanSpeed = newValue
            if mode == .scanning { send(.scan(speed: Double(newValue))) }
        }
    }

    var state: AVPlaybackUserInterfacePlaybackState {
        get { mode }
        set {
            guard newValue != mode else { return }
            mode = newValue
            send(.scan(speed: newValue == .scanning ? Double(wantedScanSpeed) : 0))
        }
    }

    // MARK: Time

    private var isSeekable: Bool { !playback.isLive && playback.application == nil }
    var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities {
        isSeekable ? [.seek, .scanForward, .scanBackward] : []
    }
    var timeRange: CMTimeRange { CMTimeRange(start: .zero, duration: Self.time(playback.duration ?? 0)) }
    var seekableTimeRanges: [CMTimeRange]? { isSeekable ? nil : [] }

    func seek(to position: CMTime, tolerance: CMTime) {
        guard isSeekable else { return PlaybackRefusal.refuse("You can't seek in this.") }
        guard position.isNumeric else { return }
        send(.seek(position: position.seconds))
    }

    var segments: [AVPlaybackUserInterfaceTimelineSegment] {
        playback.segments.isEmpty ? [whole] : playback.segments.map(AVPlaybackUserInterfaceTimelineSegment.init)
    }

    /// The segment at the last reported position. The receiver reports a new position when the next segment starts.
    var currentSegment: AVPlaybackUserInterfaceTimelineSegment {
        segments.last { $0.timeRange.start.seconds <= playback.position } ?? whole
    }

    private var whole: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: timeRange, segmentType: .primary, marked: false, requiresLinearPlayback: false, identifier: nil)
    }

    // MARK: Languages

    var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { playback.audio.map { .init($0, .audible) } }
    var audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] {
        playback.audioDescription.map { .init($0, .describesVideoForAccessibility) }
    }
    var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { playback.subtitles.map { .init($0, .legible) } }

    var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { selected(.audio, in: audioOptions) }
        set { select(.audio, newValue) }
    }
    var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { selected(.audioDescription, in: audioDescriptionOptions) }
        set { select(.audioDescription, newValue) }
    }
    var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { selected(.subtitles, in: legibleOptions) }
        set { select(.subtitles, newValue) }
    }

    private func selected(
        _ list: ReferencePlayback.List, in options: [AVPlaybackUserInterfaceMediaSelectionOption]
    ) -> AVPlaybackUserInterfaceMediaSelectionOption? {
        options.first { $0.identifier == playback.selected[list.rawValue] }
    }

    private func select(_ list: ReferencePlayback.List, _ option: AVPlaybackUserInterfaceMediaSelectionOption?) {
        send(.select(list: list, option: option?.identifier))
    }

    // MARK: Loudness and title

    var hasAudio: Bool { playback.application == nil }

    var isMuted: Bool {
        get { isSilent }
        set {
            isSilent = newValue
            send(.setMuted(muted: newValue))
        }
    }

    var volume: Float {
        get { level }
        set {
            level = newValue
            send(.setVolume(level: Double(newValue)))
        }
    }

    var metadata: AVPlaybackUserInterfaceContentMetadata {
        AVPlaybackUserInterfaceContentMetadata(title: playback.title, subtitle: playback.subtitle)
    }

    private static func position(of playback: ReferencePlayback) -> AVPlaybackUserInterfacePlaybackPosition {
        AVPlaybackUserInterfacePlaybackPosition(
            position: time(playback.position), hostTime: CMClockGetTime(.hostTimeClock), rate: Float(playback.rate))
    }

    fileprivate nonisolated static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }
}

extension AVPlaybackUserInterfaceMediaSelectionOption {
    fileprivate convenience init(_ option: ReferencePlayback.Option, _ characteristic: AVMediaCharacteristic) {
        self.init(
            displayName: option.name, identifier: option.id,
            language: option.language.map { Locale.Language(identifier: $0) },
            mediaCharacteristics: [characteristic])
    }
}

extension AVPlaybackUserInterfaceTimelineSegment {
    fileprivate convenience init(_ segment: ReferencePlayback.Segment) {
        self.init(
            timeRange: CMTimeRange(
                start: ReferencePlaybackControl.time(segment.start),
                duration: ReferencePlaybackControl.time(segment.duration)),
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
