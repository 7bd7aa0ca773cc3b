import DBus

/// The media playing on this machine, as reported to devices: some display it, and some have keys to control it.
package struct PlayedMedia: Sendable, Hashable {
    package var isPlaying: Bool
    /// Seconds.
    package var position: Double
    package var title: String?
    package var artist: String?
    package var album: String?
    /// Seconds; `nil` for a stream without an end.
    package var duration: Double?

    package init(
        isPlaying: Bool, position: Double, title: String? = nil, artist: String? = nil, album: String? = nil,
        duration: Double? = nil
    ) {
        self.isPlaying = isPlaying
        self.position = position
        self.title = title
        self.artist = artist
        self.album = album
        self.duration = duration
    }

    /// The properties of `org.mpris.MediaPlayer2.Player` that bluetoothd reads (`org.bluez.Media1`, RegisterPlayer).
    var properties: [String: DBusValue] {
        var facts: [String: DBusValue] = [:]
        facts["xesam:title"] = title.map { .string($0) }
        facts["xesam:artist"] = artist.map { .array(of: "s", [.string($0)]) }
        facts["xesam:album"] = album.map { .string($0) }
        facts["mpris:length"] = duration.map { .int64(Self.microseconds($0)) }
        return [
            "PlaybackStatus": .string(isPlaying ? "Playing" : "Paused"),
            "Position": .int64(Self.microseconds(position)), "Metadata": .properties(facts),
            "Identity": .string("mdhost"), "CanControl": .boolean(true), "CanPlay": .boolean(true),
            "CanPause": .boolean(true), "CanGoNext": .boolean(false), "CanGoPrevious": .boolean(false),
        ]
    }

    private static func microseconds(_ seconds: Double) -> Int64 {
        Int64(min(max(0, seconds.isFinite ? seconds : 0), 1_000_000_000) * 1_000_000)
    }
}

/// A key of a device that was pressed.
package enum RemoteKey: String, Sendable, Hashable, CaseIterable {
    case play, pause, stop, next, previous
    case playPause = "play-pause"

    /// The method of `org.mpris.MediaPlayer2.Player` that bluetoothd calls for it.
    var method: String {
        switch self {
        case .play: "Play"
        case .pause: "Pause"
        case .stop: "Stop"
        case .next: "Next"
        case .previous: "Previous"
        case .playPause: "PlayPause"
        }
    }
}
