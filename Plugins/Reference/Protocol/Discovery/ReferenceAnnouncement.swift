/// A receiver's announcement: its Bonjour service and TXT record (PROTOCOL.md, Discovery).
public struct ReferenceAnnouncement: Sendable, Hashable {
    /// The Bonjour service type.
    public static let serviceType = "_mdhost-ref._tcp"
    /// The version of the protocol described by PROTOCOL.md.
    public static let protocolVersion = 1

    /// The authorization that the receiver requires.
    public enum Authorization: String, Sendable, Hashable, Codable, CaseIterable {
        case none
        /// A code of four digits on the receiver's screen.
        case pin4
        /// A code of six digits on the receiver's screen.
        case pin6
        /// A password that its owner chose.
        case password
        /// A key press on the receiver.
        case confirm
    }

    /// The kind of volume control.
    public enum Volume: String, Sendable, Hashable, Codable, CaseIterable {
        case absolute, relative, none
    }

    /// The kind of device.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case tv, speaker
    }

    /// Something that a client can send as it comes.
    public enum Live: String, Sendable, Hashable, Codable, CaseIterable {
        case sound, picture
    }

    /// The identifier of the receiver for its whole life: at most 64 ASCII letters, digits and hyphens.
    public var id: String
    public var authorization: Authorization
    public var volume: Volume
    public var kind: Kind
    /// A Boolean value that indicates whether the receiver can play together with others.
    public var canGroup: Bool
    /// The kinds of live media that the receiver takes.
    public var live: Set<Live>
    /// The identifiers of the same device in other protocols, as `kind:value`, without spaces.
    public var alsoKnownAs: [String]

    public init(
        id: String, authorization: Authorization = .none, volume: Volume = .absolute, kind: Kind = .tv,
        canGroup: Bool = true, live: Set<Live> = [], alsoKnownAs: [String] = []
    ) {
        self.id = id
        self.authorization = authorization
        self.volume = volume
        self.kind = kind
        self.canGroup = canGroup
        self.live = live
        self.alsoKnownAs = alsoKnownAs
    }

    /// The TXT record.
    public var txt: [String: String] {
        var txt = [
            "version": "\(Self.protocolVersion)", "id": id, "auth": authorization.rawValue, "volume": volume.rawValue,
            "kind": kind.rawValue, "group": canGroup ? "1" : "0",
        ]
        if !live.isEmpty { txt["live"] = live.map(\.rawValue).sorted().joined(separator: " ") }
        if !alsoKnownAs.isEmpty { txt["same"] = alsoKnownAs.joined(separator: " ") }
        return txt
    }

    /// Reads a TXT record. Absent keys have the values of a plain receiver.
    ///
    /// - Returns: `nil` for another version of the protocol, or without a valid identifier.
    public init?(txt: [String: String]) {
        guard txt["version"] == "\(Self.protocolVersion)", let id = txt["id"], (1...64).contains(id.utf8.count),
            id.utf8.allSatisfy({ Self.isAllowed($0) })
        else { return nil }
        self.init(
            id: id, authorization: txt["auth"].flatMap(Authorization.init) ?? .none,
            volume: txt["volume"].flatMap(Volume.init) ?? .absolute, kind: txt["kind"].flatMap(Kind.init) ?? .tv,
            canGroup: txt["group"] != "0",
            live: Set((txt["live"] ?? "").split(separator: " ").compactMap { Live(rawValue: String($0)) }),
            alsoKnownAs: txt["same"]?.split(separator: " ").map(String.init) ?? [])
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
}
