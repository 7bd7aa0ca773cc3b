import Foundation

/// What a command led to.
public enum ReferenceResult: Codable, Sendable, Hashable {
    case done
    /// The answer to `hello`.
    case welcome(receiver: ReferenceWelcome)
    /// The answer to `pair`: what the person does next. `length` is the number of digits of a code.
    case challenge(authorization: ReferenceAnnouncement.Authorization, length: Int?)
    /// The answer to a right code: what `hello` carries from now on.
    case paired(token: String)
    /// The answer to `clock`: seconds, from a beginning of the receiver's own. It never stands still or jumps.
    case time(seconds: Double)
}

/// How a receiver introduces itself.
public struct ReferenceWelcome: Codable, Sendable, Hashable {
    public var id: String
    public var name: String
    /// Whether commands are taken on this connection.
    public var isAuthorized: Bool
    /// 0 to 1; `nil` unless the volume is absolute.
    public var volume: Double?
    public var isMuted: Bool
    /// What plays, where commands are taken.
    public var playback: ReferencePlayback?

    public init(
        id: String, name: String, isAuthorized: Bool, volume: Double?, isMuted: Bool,
        playback: ReferencePlayback? = nil
    ) {
        self.id = id
        self.name = name
        self.isAuthorized = isAuthorized
        self.volume = volume
        self.isMuted = isMuted
        self.playback = playback
    }
}

/// Why a command was refused, or why playback ended.
public struct ReferenceFailure: Codable, Sendable, Hashable, Error {
    /// The set is open.
    public struct Code: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let authorizationRequired = Code(rawValue: "authorization-required")
        public static let wrongCode = Code(rawValue: "wrong-code")
        public static let refused = Code(rawValue: "refused")
        public static let busy = Code(rawValue: "busy")
        public static let badRequest = Code(rawValue: "bad-request")
        public static let notSupported = Code(rawValue: "not-supported")
        public static let nothingPlays = Code(rawValue: "nothing-plays")
        public static let unreachableMedia = Code(rawValue: "unreachable-media")
        public static let unsupportedFormat = Code(rawValue: "unsupported-format")
        public static let broken = Code(rawValue: "broken")
    }

    public var code: Code
    /// One sentence for people.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// What a receiver tells without being asked.
public enum ReferenceEvent: Codable, Sendable, Hashable {
    /// What plays now; `nil` when nothing is loaded.
    case playback(state: ReferencePlayback?)
    /// Playback is over: by itself, by somebody's wish, or by the failure.
    case ended(id: String, failure: ReferenceFailure?)
    case volume(level: Double?, muted: Bool)
    /// The key was pressed on the receiver: what `hello` carries from now on.
    case paired(token: String)
    case pairingFailed(failure: ReferenceFailure)
    /// Bytes of the running application.
    case data(application: String, data: Data)
}

/// One line from a receiver: a reply to the request `to`, or an event.
public enum ReferenceMessage: Sendable, Hashable {
    case reply(to: Int, Result<ReferenceResult, ReferenceFailure>)
    case event(ReferenceEvent)
}

extension ReferenceMessage: Codable {
    private enum Key: String, CodingKey { case to, result, failure, event }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let event = try container.decodeIfPresent(ReferenceEvent.self, forKey: .event) {
            self = .event(event)
        } else if let failure = try container.decodeIfPresent(ReferenceFailure.self, forKey: .failure) {
            self = .reply(to: try container.decode(Int.self, forKey: .to), .failure(failure))
        } else {
            self = .reply(
                to: try container.decode(Int.self, forKey: .to),
                .success(try container.decode(ReferenceResult.self, forKey: .result)))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .event(let event): try container.encode(event, forKey: .event)
        case .reply(let request, let outcome):
            try container.encode(request, forKey: .to)
            switch outcome {
            case .success(let result): try container.encode(result, forKey: .result)
            case .failure(let failure): try container.encode(failure, forKey: .failure)
            }
        }
    }
}
