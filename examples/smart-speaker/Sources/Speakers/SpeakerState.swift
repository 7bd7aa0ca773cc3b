import Foundation
import NowPlaying

/// The playback in a room: the complete state that app, server and extension exchange.
public struct SpeakerState: RemoteMediaSessionAttributes, Sendable, Equatable {
    /// The identifier of the room.
    public let id: String
    public var room: String
    public var title: String
    public var artist: String
    /// Seconds.
    public var duration: Double
    public var isPlaying: Bool
    /// Seconds, at ``since``.
    public var position: Double
    public var since: Date
    /// `0.0...1.0`.
    public var volume: Float
    /// The server for commands.
    public var server: URL

    public init(json: some Sequence<UInt8>) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        self = try decoder.decode(Self.self, from: Data(json))
    }

    init(id: String, room: String, server: URL, since: Date) {
        (self.id, self.room, self.server, self.since) = (id, room, server, since)
        (title, artist, duration, position) = ("", "", 0, 0)
        (isPlaying, volume) = (false, 0.4)
    }

    /// Encodes states and pushes: dates as seconds, because their fractions matter here.
    public static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return try encoder.encode(value)
    }
}

/// A room as its server knows it: a value that plays through a short list.
public struct Room: Sendable {
    public static let tracks: [(title: String, artist: String, duration: Double)] = [
        ("Morning", "Window", 185), ("Kettle", "Kitchen Band", 142), ("Last Bus", "Streetlights", 233),
    ]

    public enum Command: Sendable, Equatable {
        case play, pause, next, previous
        /// `0.0...1.0`, clamped.
        case volume(Float)

        /// - Parameters:
        ///   - word: `play`, `pause`, `next`, `previous` or `volume`.
        ///   - level: The level for `volume`.
        public init?(_ word: String, level: Float? = nil) {
            switch word {
            case "play": self = .play
            case "pause": self = .pause
            case "next": self = .next
            case "previous": self = .previous
            case "volume":
                guard let level, level.isFinite else { return nil }
                self = .volume(min(1, max(0, level)))
            default: return nil
            }
        }
    }

    public private(set) var state: SpeakerState
    private var track = 0

    public init(id: String, room: String, server: URL, now: Date) {
        state = SpeakerState(id: id, room: room, server: server, since: now)
        select(0)
    }

    public mutating func apply(_ command: Command, at now: Date) {
        if state.isPlaying { state.position = min(state.duration, state.position + now.timeIntervalSince(state.since)) }
        state.since = now
        switch command {
        case .play: state.isPlaying = true
        case .pause: state.isPlaying = false
        case .next: select(track + 1)
        case .previous: select(track - 1)
        case .volume(let level): state.volume = level
        }
    }

    private mutating func select(_ number: Int) {
        track = (number + Self.tracks.count) % Self.tracks.count
        (state.title, state.artist, state.duration) = Self.tracks[track]
        state.position = 0
    }
}
