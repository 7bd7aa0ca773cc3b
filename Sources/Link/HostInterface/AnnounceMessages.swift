import Foundation

/// What an extension has the host announce on the network.
package struct AnnounceRequest: Codable, Sendable, Hashable {
    /// Instance name, 1 to 63 bytes; the host changes it where another service of the network has it.
    package var name: String
    /// `_dacp._tcp`, as the extension's manifest declares it.
    package var type: String
    /// 1 to 65,535.
    package var port: Int
    /// TXT key to value bytes.
    package var txt: [String: Data]
    /// `eth0`; `nil` for every interface.
    package var interface: String?

    package init(name: String, type: String, port: Int, txt: [String: Data] = [:], interface: String? = nil) {
        self.name = name
        self.type = type
        self.port = port
        self.txt = txt
        self.interface = interface
    }

    /// Bytes of a TXT record that every querier takes (RFC 6763 §6.2).
    private static let greatestRecord = 1300

    /// Why it can never be announced, as the end of a sentence; `nil` where nothing is wrong with it.
    package var flaw: String? {
        guard 1...63 ~= name.utf8.count, !name.unicodeScalars.contains(where: Self.isControl) else {
            return "its name is not 1 to 63 bytes of text"
        }
        guard 1...255 ~= type.utf8.count else { return "it has no service type" }
        guard 1...65_535 ~= port else { return "it has no port" }
        guard txt.allSatisfy(Self.isEntry), txt.reduce(0, { $0 + Self.size($1) }) <= Self.greatestRecord else {
            return "its TXT record is larger than \(Self.greatestRecord) bytes, or has an entry that is none"
        }
        guard 1...15 ~= interface?.utf8.count ?? 1 else { return "no interface can have that name" }
        return nil
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

    /// With its length and the `=`.
    private static func size(_ entry: (key: String, value: Data)) -> Int {
        2 + entry.key.utf8.count + entry.value.count
    }

    private static func isEntry(_ entry: (key: String, value: Data)) -> Bool {
        let isKey = entry.key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
        return isKey && !entry.key.isEmpty && size(entry) <= 256
    }
}

/// How an announcement goes.
package struct AnnounceEvent: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// Others see it, under ``AnnounceEvent/name``.
        case published
        /// It is held up, and goes on by itself; ``AnnounceEvent/message`` says by what.
        case waiting
        /// It never is; ``AnnounceEvent/refusal`` and ``AnnounceEvent/message`` say why. Nothing follows.
        case failed
    }

    package enum Refusal: String, Codable, Sendable {
        /// The extension's manifest does not say that it announces such a service.
        case notDeclared = "not-declared"
        /// The extension announces as many services as it may.
        case tooMany = "too-many"
        /// No service can be like that.
        case invalid
        /// This host announces nothing.
        case unsupported
    }

    package var kind: Kind
    package var name: String?
    package var refusal: Refusal?
    /// One sentence.
    package var message: String?

    package init(kind: Kind, name: String? = nil, refusal: Refusal? = nil, message: String? = nil) {
        self.kind = kind
        self.name = name
        self.refusal = refusal
        self.message = message
    }

    package static func published(_ name: String) -> AnnounceEvent { AnnounceEvent(kind: .published, name: name) }

    package static func waiting(_ message: String) -> AnnounceEvent { AnnounceEvent(kind: .waiting, message: message) }

    package static func failed(_ refusal: Refusal, _ message: String) -> AnnounceEvent {
        AnnounceEvent(kind: .failed, refusal: refusal, message: message)
    }
}
