import Crypto
package import Foundation

/// The secret with which this computer authenticates to a receiver, as the host stores it.
package enum ReceiverSecret: Sendable {
    case password(String)
    case homeKit(PairingIdentity, PairedDevice)
    case legacy(LegacyIdentity)

    /// The stored fields of a pairing. Text in another form is a password.
    private struct Record: Codable {
        enum Pairing: String, Codable { case homeKit = "homekit", legacy }

        var pairing: Pairing
        var identifier: String
        var seed: Data
        var device: Data?
        var deviceKey: Data?
    }

    /// - Returns: `nil` for bytes that are neither a pairing nor text.
    package init?(_ data: Data) {
        if let record = try? JSONDecoder().decode(Record.self, from: data),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: record.seed)
        {
            switch record.pairing {
            case .homeKit:
                guard let device = record.device, let deviceKey = record.deviceKey else { return nil }
                self = .homeKit(
                    PairingIdentity(identifier: record.identifier, key: key),
                    PairedDevice(identifier: Array(device), publicKey: Array(deviceKey)))
            case .legacy:
                self = .legacy(
                    LegacyIdentity(
                        identifier: record.identifier, key: key, deviceKey: record.deviceKey.map { Array($0) }))
            }
            return
        }
        guard let text = String(data: data, encoding: .utf8) else { return nil }
        self = .password(text)
    }

    package var data: Data {
        let record: Record
        switch self {
        case .password(let text): return Data(text.utf8)
        case .homeKit(let identity, let device):
            record = Record(
                pairing: .homeKit, identifier: String(decoding: identity.identifier, as: UTF8.self),
                seed: identity.key.rawRepresentation, device: Data(device.identifier),
                deviceKey: Data(device.publicKey))
        case .legacy(let identity):
            record = Record(
                pairing: .legacy, identifier: identity.identifier, seed: identity.key.rawRepresentation,
                deviceKey: identity.deviceKey.map { Data($0) })
        }
        return (try? JSONEncoder().encode(record)) ?? Data()
    }

    package var password: String? {
        if case .password(let text) = self { text } else { nil }
    }
}

extension ReceiverSecret: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind of secret. The secret itself is never printed.
    package var description: String {
        switch self {
        case .password: "a password"
        case .homeKit, .legacy: "a pairing"
        }
    }

    package var debugDescription: String { description }
}
