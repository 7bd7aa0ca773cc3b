package import Foundation

/// An extension's request to announce a service on the network.
package struct AnnounceRequest: Codable, Sendable, Hashable {
    /// The instance name, 1 to 63 bytes. The host changes it if another service on the network has it.
    package var name: String
    /// The service type, such as `_dacp._tcp`, as the extension's manifest declares it.
    package var type: String
    /// The port, 1 to 65,535.
    package var port: Int
    /// The TXT record: keys with the bytes of their values.
    package var txt: [String: Data]
    /// The name of the interface, such as `eth0`; `nil` for all.
    package var interface: String?

    package init(name: String, type: String, port: Int, txt: [String: Data] = [:], interface: String? = nil) {
        self.name = name
        self.type = type
        self.port = port
        self.txt = txt
        self.interface = interface
    }

    /// The longest TXT record in bytes that all clients accept (RFC 6763 §6.2).
    private static let greatestRecord = 1300

    /// The reason why the request is invalid, which completes a sentence; `nil` if it is valid.
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

    /// Returns the size of an entry with its length byte and `=`.
    private static func size(_ entry: (key: String, value: Data)) -> Int {
        2 + entry.key.utf8.count + entry.value.count
    }

    private static func isEntry(_ entry: (key: String, value: Data)) -> Bool {
        let isKey = entry.key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
        return isKey && !entry.key.isEmpty && size(entry) <= 256
    }
}

/// The state of an announcement.
package struct AnnounceEvent: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// The service is announced as ``AnnounceEvent/name``.
        case published
        /// The announcement is delayed and continues by itself; ``AnnounceEvent/message`` has the reason.
        case waiting
        /// The announcement has failed; ``AnnounceEvent/refusal`` and ``AnnounceEvent/message`` have the reason.
        /// The last state.
        case failed
    }

    package enum Refusal: String, Codable, Sendable {
        /// The extension's manifest doesn't declare the service.
        case notDeclared = "not-declared"
        /// The extension announces the highest number of services.
        case tooMany = "too-many"
        /// The request is invalid.
        case invalid
        /// This host doesn't announce services.
        case unsupported
    }

    package var kind: Kind
    package var name: String?
    package var refusal: Refusal?
    /// The reason as one sentence.
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
