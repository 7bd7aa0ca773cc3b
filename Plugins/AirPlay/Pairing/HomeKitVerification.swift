package import Crypto
import Foundation

/// The mutual verification of a paired device and this machine: four messages before each use.
///
/// Source: HomeKit Accessory Protocol Specification (non-commercial), "Pair Verify"; RFC 7748.
package struct HomeKitVerification: Sendable {
    package enum Step: Sendable, Hashable {
        case send([UInt8])
        /// The connection is encrypted from now on.
        case verified(ChannelKeys)
    }

    private let identity: PairingIdentity
    private let device: PairedDevice
    private let key: Curve25519.KeyAgreement.PrivateKey
    /// The shared secret, after the device sent its key.
    private var secret: [UInt8]?
    private var isOver = false

    package init(
        of device: PairedDevice, as identity: PairingIdentity, key: Curve25519.KeyAgreement.PrivateKey = .init()
    ) {
        self.device = device
        self.identity = identity
        self.key = key
    }

    private var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    package var first: [UInt8] { TaggedValues([(.state, [1]), (.publicKey, publicKey)]).encoded }

    /// Processes the device's answer.
    ///
    /// - Throws: ``PairingError``. The verification has ended then.
    package mutating func received(_ answer: [UInt8]) throws(PairingError) -> Step {
        guard !isOver else { throw .malformed("an answer to nothing") }
        isOver = true
        let values = try TaggedValues(answer)
        if let error = PairingError(values) { throw error }
        switch (secret, values[.state]) {
        case (nil, [2]): return .send(try prove(values))
        case (let secret?, [4]): return .verified(ChannelKeys(secret: secret))
        default: throw .malformed("an answer out of turn")
        }
    }

    private mutating func prove(_ values: TaggedValues) throws(PairingError) -> [UInt8] {
        let theirs = values[.publicKey] ?? []
        guard let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: theirs),
            let shared = try? key.sharedSecretFromKeyAgreement(with: other)
        else { throw .malformed("no public key") }
        let secret = shared.withUnsafeBytes { Array($0) }
        let cipher = PairingCipher.key(
            secret, salt: "Pair-Verify-Encrypt-Salt", info: "Pair-Verify-Encrypt-Info")
        let told = try TaggedValues(
            try PairingCipher.open(values[.encryptedData] ?? [], "PV-Msg02", key: cipher))
        guard told[.identifier] == device.identifier else { throw .unproved }
        try device.verify(told[.signature] ?? [], theirs, device.identifier, publicKey)
        let signature = try identity.signature(publicKey, identity.identifier, theirs)
        let own = TaggedValues([(.identifier, identity.identifier), (.signature, signature)])
        let sealed = try PairingCipher.seal(own.encoded, "PV-Msg03", key: cipher)
        self.secret = secret
        isOver = false
        return TaggedValues([(.state, [3]), (.encryptedData, sealed)]).encoded
    }
}
