/// The metadata and position of the current item, for Bluetooth devices with a display. Available on Linux only.
public struct BluetoothAudioMedia: Sendable, Hashable {
    /// The title.
    public var title: String?
    /// The artist.
    public var artist: String?
    /// The album.
    public var album: String?
    /// The duration in seconds; `nil` for media without an end.
    public var duration: Double?
    /// The position in seconds from the beginning.
    public var position: Double
    /// A Boolean value that indicates whether the item is playing.
    public var isPlaying: Bool

    /// Creates metadata.
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
    /// The key as lower-case words joined by hyphens.
    public let rawValue: String
    /// Creates a key from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The play key.
    public static let play = BluetoothAudioKey(rawValue: "play")
    /// The pause key.
    public static let pause = BluetoothAudioKey(rawValue: "pause")
    /// The key that toggles between play and pause.
    public static let playPause = BluetoothAudioKey(rawValue: "play-pause")
    /// The stop key.
    public static let stop = BluetoothAudioKey(rawValue: "stop")
    /// The key for the next item.
    public static let next = BluetoothAudioKey(rawValue: "next")
    /// The key for the previous item.
    public static let previous = BluetoothAudioKey(rawValue: "previous")
}
