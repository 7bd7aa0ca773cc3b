import MediaDevice
import MediaReading
import PlaybackKit

/// The playback control of a live stream, and the state that it shows.
@MainActor
final class StreamPresentation {
    let control: PlayerControl
    private var snapshot: PlaybackSnapshot
    private var information: MediaOutputSession.MediaInformation?
    private var facts: MediaFacts?

    /// - Parameter wish: A function that receives people's requests.
    init(_ information: MediaOutputSession.MediaInformation?, wish: @escaping @MainActor (PlayerWish) -> Void) {
        self.information = information
        snapshot = PlaybackSnapshot(isPlaying: true, position: 0)
        snapshot.isReady = false
        snapshot.positionTolerance = 0
        control = PlayerControl(information, wish: wish)
    }

    /// Shows the app's other description of the media.
    func describe(_ information: MediaOutputSession.MediaInformation?) {
        self.information = information
        control.show(information)
        showTags()
    }

    /// Shows the facts of the opened media.
    func opened(_ facts: MediaFacts) {
        self.facts = facts
        snapshot.duration = facts.duration
        snapshot.isLive = facts.duration == nil
        snapshot.canSeek = facts.isSeekable
        showTags()
    }

    /// Shows a frame and the time at which the listener hears it, in seconds of the host clock. Earlier requests count as
    /// performed.
    func show(_ frame: Int64, at time: Double, isPlaying: Bool, isBuffering: Bool) {
        snapshot.isReady = true
        snapshot.isPlaying = isPlaying
        snapshot.isBuffering = isBuffering
        snapshot.position = Double(frame) / AirPlayPlaybackSession.rate
        snapshot.time = time
        control.update(snapshot)
        control.settle([.playing, .position])
    }

    /// Shows the tags of the media, as far as the app doesn't describe it.
    private func showTags() {
        guard let facts else { return }
        let album = information?.title == nil ? facts.album : nil
        let subtitle = [information?.artist ?? facts.artist, album].compactMap(\.self).joined(separator: " · ")
        snapshot.title = information?.title == nil ? facts.title : nil
        snapshot.subtitle = subtitle.isEmpty ? nil : subtitle
        control.update(snapshot)
    }
}
