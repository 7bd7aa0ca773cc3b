import Foundation
public import MediaDevice
public import Observation

/// The playback control of one playback: shows the latest snapshot, and turns writes into requests.
///
/// Extensions built with the kit get one for each playback. One that conforms to `MediaDeviceExtension` itself creates it,
/// passes it to `started(application:playbackControl:session:)`, and keeps it up to date.
///
/// A written value shows at once, until it is settled with ``settle(_:)``. People are offered only what the snapshot and the
/// level support; other writes are refused.
@MainActor
@Observable
public final class PlayerControl: AVPlaybackUserInterfaceControllable {
    private(set) var snapshot: PlaybackSnapshot
    private(set) var level: PlayerLevel?
    /// The written values that the device hasn't confirmed.
    private(set) var asked: [PlayerWish.Kind: PlayerWish] = [:]
    /// The speed for the next scan, and whether a person moves a slider.
    var scanning = Scanning()
    private var isConnected = true
    public private(set) var error: (any Error)?
    public private(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition
    public private(set) var metadata = AVPlaybackUserInterfaceContentMetadata()
    public private(set) var currentSegment: AVPlaybackUserInterfaceTimelineSegment

    @ObservationIgnored private var information: MediaOutputSession.MediaInformation?
    @ObservationIgnored private let wish: @MainActor (PlayerWish) -> Void
    @ObservationIgnored private var positions = PositionTracker()
    @ObservationIgnored private var isOver = false

    /// Creates the control of one playback.
    ///
    /// It shows the media as loading until the first snapshot.
    ///
    /// - Parameters:
    ///   - information: The app's description of the media, whose title and artwork take precedence over the device's; `nil`
    ///     if the app gives none.
    ///   - level: The level of the device; `nil` if it isn't known yet.
    ///   - wish: A function that queues a request. It must not block.
    public init(
        _ information: MediaOutputSession.MediaInformation?, level: PlayerLevel? = nil,
        wish: @escaping @MainActor (PlayerWish) -> Void
    ) {
        self.information = information
        self.level = level
        self.wish = wish
        var snapshot = PlaybackSnapshot(
            isPlaying: true, position: information?.startPosition ?? 0, duration: information?.duration)
        snapshot.isReady = false
        snapshot.isBuffering = true
        self.snapshot = snapshot
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: Self.time(snapshot.position), hostTime: Self.time(snapshot.time), rate: 0)
        currentSegment = Self.whole(snapshot)
        showMetadata()
    }

    // MARK: Events of the device

    /// Shows another state. Written values show on; see ``settle(_:)``.
    public func update(_ snapshot: PlaybackSnapshot) {
        guard !isOver else { return }
        var new = snapshot
        // The position has a property of its own. Kept here, too, it would renew all others with each report.
        new.position = self.snapshot.position
        new.time = self.snapshot.time
        if self.snapshot != new { self.snapshot = new }
        publish(positions.observe(snapshot))
        let segment = snapshot.segments.last { $0.timeRange.start.seconds <= snapshot.position }
        let current = segment ?? Self.whole(snapshot)
        if currentSegment != current { currentSegment = current }
        showMetadata()
    }

    /// Shows the app's other description of the media.
    public func show(_ information: MediaOutputSession.MediaInformation?) {
        guard !isOver else { return }
        self.information = information
        showMetadata()
    }

    /// Shows another level.
    public func update(_ level: PlayerLevel) {
        if self.level != level { self.level = level }
    }

    /// Discards the written values of these kinds, because the device has performed or refused them: the snapshot and the
    /// level count again.
    public func settle(_ kinds: some Sequence<PlayerWish.Kind>) {
        for kind in kinds where asked[kind] != nil { asked[kind] = nil }
    }

    /// Shows the playback as waiting where it is until ``connectionReturned()``.
    public func connectionLost() {
        isConnected = false
        publish(positions.freeze(at: HostTime.now))
    }

    /// Shows the snapshot again.
    public func connectionReturned() { isConnected = true }

    /// Ends the control; later writes have no effect.
    ///
    /// - Parameter error: The reason; `nil` unless playback failed.
    public func finish(_ error: (any Error)?) {
        guard !isOver else { return }
        isOver = true
        publish(positions.freeze(at: HostTime.now))
        asked = [:]
        scanning = Scanning()
        snapshot.isPlaying = false
        snapshot.scanSpeed = 0
        snapshot.isBuffering = false
        self.error = error
    }

    private func publish(_ anchor: PositionTracker.Anchor?) {
        guard let anchor else { return }
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: Self.time(anchor.value), hostTime: Self.time(anchor.time), rate: Float(anchor.rate))
    }

    func ask(_ new: PlayerWish) {
        guard !isOver else { return }
        asked[new.kind] = new
        wish(new)
    }

    static func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1_000_000_000) }

    private static func whole(_ snapshot: PlaybackSnapshot) -> AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: CMTimeRange(start: .zero, duration: time(snapshot.duration ?? 0)), segmentType: .primary,
            marked: false, requiresLinearPlayback: false, identifier: nil)
    }

    // MARK: Playing

    public var isReady: Bool { snapshot.isReady }
    public var isBuffering: Bool { snapshot.isBuffering || !isConnected && !isOver }
    public var containsLiveStreamingContent: Bool { snapshot.isLive }

    public var isPlaying: Bool {
        get { if case .setPlaying(let isPlaying)? = asked[.playing] { isPlaying } else { snapshot.isPlaying } }
        set { ask(.setPlaying(newValue)) }
    }

    // MARK: Metadata

    /// Updates the metadata. The app's title takes precedence; the device's changing title, for example of a radio
    /// station, then becomes the subtitle.
    private func showMetadata() {
        let title = information?.title
        let subtitle = information?.artist ?? (title == nil || snapshot.title == title ? nil : snapshot.title)
        let artwork = information?.artworkURL ?? snapshot.artworkURL
        let new = AVPlaybackUserInterfaceContentMetadata(
            videoProperties: snapshot.hasVideo ? .init(presentationSize: .zero) : nil,
            title: title ?? snapshot.title, subtitle: subtitle ?? snapshot.subtitle,
            artworkRepresentations: artwork.map { [.artwork(url: $0, contentType: .image, size: .zero)] } ?? [])
        if new != metadata { metadata = new }
    }
}
