public import Foundation

/// The result of a command.
public enum ReferenceResult: Codable, Sendable, Hashable {
    case done
    /// The answer to `hello`.
    case welcome(receiver: ReferenceWelcome)
    /// The answer to `pair`: the next step for the person. `length` is the number of digits of a code.
    case challenge(authorization: ReferenceAnnouncement.Authorization, length: Int?)
    /// The answer to a correct code: the token for later `hello` commands.
    case paired(token: String)
    /// The answer to `clock`: seconds since an origin of the receiver's choice. The clock never stops or jumps.
    case time(seconds: Double)
}

/// The receiver's introduction.
public struct ReferenceWelcome: Codable, Sendable, Hashable {
    public var id: String
    public var name: String
    /// A Boolean value that indicates whether this connection accepts commands.
    public var isAuthorized: Bool
    /// The volume, 0 to 1; `nil` unless it is absolute.
    public var volume: Double?
    public var isMuted: Bool
    /// The state of playback, if commands are accepted.
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

/// The reason why a command was refused or playback ended.
public struct ReferenceFailure: Codable, Sendable, Hashable, Error {
    /// A kind of failure. The set is open.
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
        /// Sound or a picture came after the time at which it was due.
        public static let late = Code(rawValue: "late")
    }

    public var code: Code
    /// One sentence for people.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// An event that a receiver sends without a request.
public enum ReferenceEvent: Codable, Sendable, Hashable {
    /// The state of playback; `nil` if nothing is loaded.
    case playback(state: ReferencePlayback?)
    /// Playback has ended: by itself, at a person's request, or with the failure.
    case ended(id: String, failure: ReferenceFailure?)
    case volume(level: Double?, muted: Bool)
    /// A person confirmed the pairing on the receiver; the token is for later `hello` commands.
    case paired(token: String)
    case pairingFailed(failure: ReferenceFailure)
    /// Bytes from the running application.
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
