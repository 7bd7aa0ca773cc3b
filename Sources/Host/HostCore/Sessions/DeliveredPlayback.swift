import HostInterface
import MediaReading

/// The playback of a medium that the host delivers as samples, with the control that the host has of it.
///
/// The control object of the extension, if it has one, is for the volume and for pausing; the position is the host's.
struct DeliveredPlayback: Sendable {
    let delivery: any MediaDelivery
    private let information: MediaInformation
    private let requestedLatency: Double?
    private var facts = MediaFacts(isSeekable: false)
    private var isOpen = false
    var position = MediaPosition(seconds: 0, time: 0, isPlaying: true, isWaiting: true)
    /// The time from the source to the listener as the extension reports it, in seconds.
    var latency = 0.0
    /// The state of the extension's control object; `nil` if it has none.
    var control: PlaybackState?

    /// - Parameter requestedLatency: As ``DeliveredMedia/latency``.
    init(_ delivery: any MediaDelivery, _ information: MediaInformation, requestedLatency: Double?) {
        self.delivery = delivery
        self.information = information
        self.requestedLatency = requestedLatency
    }

    /// The place for the next daemon; `nil` before the medium is open.
    var place: DeliveredPlace? {
        guard isOpen else { return nil }
        let listener = listenersPosition
        return DeliveredPlace(
            seconds: listener.value, time: listener.hostTime, isPlaying: position.isPlaying,
            isMoving: listener.rate != 0,
            duration: facts.duration, isSeekable: facts.isSeekable, latency: requestedLatency)
    }

    mutating func opened(_ facts: MediaFacts, _ position: MediaPosition) {
        self.facts = facts
        self.position = position
        isOpen = true
    }

    /// Takes a change of the extension's control object, and pauses or resumes with it.
    mutating func take(_ control: PlaybackState) {
        if let earlier = self.control, earlier.isPlaying != control.isPlaying {
            delivery.setPlaying(control.isPlaying)
        }
        self.control = control
    }

    /// The information for the extension: a client's takes precedence over the medium's own.
    var informationForExtension: MediaInformation {
        var information = information
        information.title = title
        information.artist = artist
        information.duration = facts.duration ?? information.duration
        // The samples begin there.
        information.startPosition = nil
        return information
    }

    private var title: String? { information.title ?? facts.title }
    private var artist: String? { information.artist ?? facts.artist }

    private var listenersPosition: PlaybackState.Position {
        PlaybackState.Position(
            value: position.seconds, hostTime: Double(position.time) / 1_000_000_000 + latency,
            rate: position.isPlaying && !position.isWaiting ? 1 : 0)
    }

    /// The playback as clients see it. Positions are the listener's.
    var state: PlaybackState {
        var state = PlaybackState()
        state.isReady = isOpen
        state.isPlaying = position.isPlaying
        state.isBuffering = position.isPlaying && position.isWaiting
        state.isLive = isOpen && facts.duration == nil
        state.timeRange = PlaybackState.TimeRange(start: 0, duration: facts.duration ?? 0)
        state.position = listenersPosition
        state.seekCapabilities = facts.isSeekable ? 0b100 : 0
        state.seekableRanges = facts.isSeekable ? nil : []
        state.unsupported = [.playbackSpeed, .mute, .volume]
        if let control {
            state.unsupported?.removeAll { control.supports($0) && $0 != .playbackSpeed }
            state.volume = control.volume
            state.isMuted = control.isMuted
        }
        state.title = title
        let album = information.title == nil ? facts.album : nil
        let subtitle = [artist, album].compactMap { $0 }.joined(separator: " · ")
        state.subtitle = subtitle.isEmpty ? nil : subtitle
        state.artwork =
            information.artworkURL.map { [.init(url: $0, contentType: "public.image", width: 0, height: 0)] } ?? []
        return state
    }

    /// Performs a command that is the host's.
    ///
    /// - Returns: `false` for one of the extension's control object.
    /// - Throws: ``HostError`` `not-supported`.
    func performs(_ command: PlaybackCommand) throws(HostError) -> Bool {
        switch (command.kind, command.flag, command.number) {
        case (.setPlaying, let isPlaying?, _):
            guard control == nil else { return false }
            delivery.setPlaying(isPlaying)
        case (.seek, _, let seconds?) where seconds.isFinite:
            guard facts.isSeekable else { throw HostError(.notSupported, "You can't seek in this.") }
            delivery.seek(toSeconds: seconds)
        case (.setVolume, _, _), (.setMuted, _, _):
            guard control != nil else { throw HostError(.notSupported, "The device has no volume control.") }
            return false
        default: throw HostError(.notSupported, "The device plays one track at one speed.")
        }
        return true
    }

    /// Follows a command that the extension's control object took. An object of a new process doesn't know of a pause, and
    /// reports no change.
    func follow(_ command: PlaybackCommand) {
        if command.kind == .setPlaying, let isPlaying = command.flag { delivery.setPlaying(isPlaying) }
    }
}
