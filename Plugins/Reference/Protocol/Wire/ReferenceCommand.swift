import Foundation

/// What a client asks a receiver to do; on the wire an object with one key, the command's name (PROTOCOL.md, Commands).
public enum ReferenceCommand: Codable, Sendable, Hashable {
    /// The first command of every connection. The token is one of an earlier pairing.
    case hello(version: Int, client: String, token: String?)

    // MARK: Pairing
    /// Makes the receiver show its code, or ask for a key press.
    case pair
    case answer(code: String)
    case cancelPairing

    // MARK: Playback
    /// `id` names this playback in the events about it: new every time, so that the end of one is not taken for another's.
    case play(id: String, media: ReferenceMedia)
    /// From the moment `at` of the receiver's clock on, in seconds, playback is on the line through `position`.
    case start(position: Double, at: Double)
    case resume
    case pause
    case stop
    /// Seconds on the timeline.
    case seek(position: Double)
    /// 0.25 to 4; 1 is normal.
    case setSpeed(speed: Double)
    /// Moves through the content at −32 to 32 times its speed; 0 ends it.
    case scan(speed: Double)
    /// `option` is an identifier of the list; `nil` selects nothing.
    case select(list: ReferencePlayback.List, option: String?)

    /// Asks for the receiver's clock.
    case clock

    // MARK: Level
    /// 0 to 1; only with absolute volume.
    case setVolume(level: Double)
    /// Steps up, or down below 0; only with relative volume.
    case changeVolume(steps: Int)
    case setMuted(muted: Bool)

    // MARK: Applications
    /// Starts an application with what it understands; `id` as for `play`.
    case launch(id: String, application: String, url: String)
    /// Bytes for the running application; base64 on the wire.
    case send(data: Data)
}

/// What is played.
public struct ReferenceMedia: Codable, Sendable, Hashable {
    /// `http:` only.
    public var url: String
    public var title: String?
    public var artist: String?
    /// MIME type.
    public var contentType: String?
    /// Seconds.
    public var duration: Double?
    /// Seconds from the beginning where it starts.
    public var position: Double?
    /// Whether it waits for `start` once its data is there; absent for no.
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
    /// Chosen by the client; the reply repeats it.
    public var id: Int
    public var command: ReferenceCommand

    public init(id: Int, command: ReferenceCommand) {
        self.id = id
        self.command = command
    }
}
