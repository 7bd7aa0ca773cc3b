/// What plays on a Bluetooth device, as those with a display show it. Available on Linux only.
public struct BluetoothAudioMedia: Sendable, Hashable {
    public var title: String?
    public var artist: String?
    public var album: String?
    /// Seconds; `nil` for what has no end.
    public var duration: Double?
    /// Seconds.
    public var position: Double
    public var isPlaying: Bool

    public init(
        title: String? = nil, artist: String? = nil, album: String? = nil, duration: Double? = nil,
        position: Double = 0, isPlaying: Bool = true
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.duration = duration
        self.position = position
        self.isPlaying = isPlaying
    }
}

/// A key of a Bluetooth device (AVRCP). Available on Linux only; the set is open.
public struct BluetoothAudioKey: RawRepresentable, Sendable, Hashable {
    /// Lower-case words joined by hyphens.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let play = BluetoothAudioKey(rawValue: "play")
    public static let pause = BluetoothAudioKey(rawValue: "pause")
    public static let playPause = BluetoothAudioKey(rawValue: "play-pause")
    public static let stop = BluetoothAudioKey(rawValue: "stop")
    public static let next = BluetoothAudioKey(rawValue: "next")
    public static let previous = BluetoothAudioKey(rawValue: "previous")
}
