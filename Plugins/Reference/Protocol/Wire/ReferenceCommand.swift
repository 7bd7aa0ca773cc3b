public import Foundation

/// A command of a client; on the wire an object with one key, the name of the command (PROTOCOL.md, Commands).
public enum ReferenceCommand: Codable, Sendable, Hashable {
    /// Introduces the client. The first command of every connection; the token is from an earlier pairing.
    case hello(version: Int, client: String, token: String?)

    // MARK: Pairing
    /// Starts pairing: the receiver shows its code, or asks for a key press.
    case pair
    case answer(code: String)
    case cancelPairing

    // MARK: Playback
    /// Plays media. `id` identifies this playback in its events; use a new one each time, so that ends can't be
    /// confused.
    case play(id: String, media: ReferenceMedia)
    /// Starts playback at a position at the time `at` of the receiver's clock, in seconds.
    case start(position: Double, at: Double)
    case resume
    case pause
    case stop
    /// Seeks to a position in seconds on the timeline.
    case seek(position: Double)
    /// Sets the speed, 0.25 to 4; 1 is normal.
    case setSpeed(speed: Double)
    /// Scans through the content at −32 to 32 times its speed; 0 ends the scan.
    case scan(speed: Double)
    /// Selects an option of a list by its identifier; `nil` for none.
    case select(list: ReferencePlayback.List, option: String?)

    // MARK: Live sound and pictures
    /// Announces sound and pictures that the client sends as they come; `id` as for `play`.
    case receive(id: String, live: ReferenceLive)
    /// Changes the title and the artist of what is received.
    case describe(title: String?, artist: String?)
    /// Plays samples at the time `at` of the receiver's clock, in seconds; base64 on the wire.
    case sound(at: Double, samples: Data)
    /// Shows a picture at the time `at` of the receiver's clock, in seconds; base64 on the wire.
    case picture(at: Double, accessUnit: Data)

    /// Requests the receiver's clock.
    case clock

    // MARK: Level
    /// Sets the volume, 0 to 1; only for absolute volume.
    case setVolume(level: Double)
    /// Changes the volume by steps, negative for down; only for relative volume.
    case changeVolume(steps: Int)
    case setMuted(muted: Bool)

    // MARK: Applications
    /// Launches an application with a URL that it understands; `id` as for `play`.
    case launch(id: String, application: String, url: String)
    /// Sends bytes to the running application; base64 on the wire.
    case send(data: Data)
}

/// The media to play.
public struct ReferenceMedia: Codable, Sendable, Hashable {
    /// An `http:` URL.
    public var url: String
    public var title: String?
    public var artist: String?
    /// The MIME type.
    public var contentType: String?
    /// The duration in seconds.
    public var duration: Double?
    /// The start position in seconds from the beginning.
    public var position: Double?
    /// A Boolean value that indicates whether playback waits for `start` after loading; absent for no.
    public var isHeld: Bool?

    public init(
        url: String, title: String? = nil, artist: String? = nil, contentType: String? = nil, duration: Double? = nil,
        position: Double? = nil, isHeld: Bool? = nil
    ) {
        self.url = url
        self.title = title
        self.artist = artist
        self.contentType = contentType
        self.duration = duration
        self.position = position
        self.isHeld = isHeld
    }
}

/// One line from a client.
public struct ReferenceRequest: Codable, Sendable, Hashable {
    /// The number of the request, chosen by the client. The reply repeats it.
    public var id: Int
    public var command: ReferenceCommand

    public init(id: Int, command: ReferenceCommand) {
        self.id = id
        self.command = command
    }
}
