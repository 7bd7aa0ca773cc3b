import Crypto
import Foundation

/// Pairing with a code on the device's screen as devices before HomeKit do it (`/pair-setup-pin`): three questions and answers,
/// each a binary property list.
///
/// Source: the protocol as receivers implement it; SRP-6a of RFC 5054 with 2048 bits and SHA-1, AES-GCM of NIST SP 800-38D.
package struct LegacyPairing: Sendable {
    package enum Step: Sendable, Hashable {
        case send([UInt8])
        /// The device has stored this computer. The value is the device's public signing key, if it sent one.
        case paired(deviceKey: [UInt8]?)
    }

    private enum State {
        case begun
        case proving(PasswordClient<Insecure.SHA1>.Session)
        case exchanging(secret: [UInt8])
        case over
    }

    private let identity: LegacyIdentity
    private let client: PasswordClient<Insecure.SHA1>
    private var state = State.begun

    /// - Parameters:
    ///   - code: As it is on the screen.
    ///   - exponent: 32 random bytes.
    package init(code: String, identity: LegacyIdentity, exponent: [UInt8]) {
        self.identity = identity
        client = PasswordClient(.legacy, user: identity.identifier, password: code, exponent: exponent)
    }

    package var first: [UInt8] {
        get throws(PairingError) {
            try PairingPropertyList.encoded(["method": "pin", "user": identity.identifier])
        }
    }

    /// A Boolean value that indicates whether only a wrong code can cause a refusal of the last message.
    package var isProving: Bool {
        if case .proving = state { true } else { false }
    }

    /// Processes the device's answer.
    ///
    /// - Throws: ``PairingError``. The pairing has ended then.
    package mutating func received(_ answer: [UInt8]) throws(PairingError) -> Step {
        let current = state
        state = .over
        switch current {
        case .begun: return .send(try prove(try PairingPropertyList(answer)))
        case .proving(let session):
            try session.verify(try PairingPropertyList(answer)["proof"] ?? [])
            return .send(try exchange(session.key))
        case .exchanging(let secret): return .paired(deviceKey: Self.deviceKey(answer, secret))
        case .over: throw .malformed("an answer out of turn")
        }
    }

    private mutating func prove(_ values: PairingPropertyList) throws(PairingError) -> [UInt8] {
        guard let salt = values["salt"], let serverKey = values["pk"] else { throw .malformed("no public key") }
        let session = try client.session(salt: salt, serverKey: serverKey)
        state = .proving(session)
        return try PairingPropertyList.encoded(["pk": Data(client.publicKey), "proof": Data(session.proof)])
    }

    private mutating func exchange(_ secret: [UInt8]) throws(PairingError) -> [UInt8] {
        let box: AES.GCM.SealedBox
        do {
            box = try AES.GCM.seal(
                identity.publicKey, using: Self.key(secret), nonce: try Self.nonce(secret, number: 1))
        } catch {
            throw .malformed("a key that cannot be encrypted")
        }
        state = .exchanging(secret: secret)
        return try PairingPropertyList.encoded(["epk": box.ciphertext, "authTag": box.tag])
    }

    /// Returns the device's key, which it sends in the same way; `nil` for a device without one, which is accepted too.
    private static func deviceKey(_ answer: [UInt8], _ secret: [UInt8]) -> [UInt8]? {
        guard let values = try? PairingPropertyList(answer), let sealed = values["epk"], let tag = values["authTag"],
            let box = try? AES.GCM.SealedBox(
                nonce: try nonce(secret, number: 2), ciphertext: sealed, tag: tag),
            let key = try? AES.GCM.open(box, using: Self.key(secret)), key.count == 32
        else { return nil }
        return Array(key)
    }

    private static func key(_ secret: [UInt8]) -> SymmetricKey {
        SymmetricKey(data: LegacyCipher.bytes("Pair-Setup-AES-Key", secret))
    }

    /// The last byte counts the messages.
    private static func nonce(_ secret: [UInt8], number: UInt8) throws -> AES.GCM.Nonce {
        var bytes = LegacyCipher.bytes("Pair-Setup-AES-IV", secret)
        bytes[15] &+= number
        return try AES.GCM.Nonce(data: bytes)
    }
}
