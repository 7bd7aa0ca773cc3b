import Crypto

/// Pairing with a code on the device's screen: six messages, of which this side sends the odd ones. Transient pairing, which
/// takes no code and is not remembered, ends with the fourth.
///
/// Source: HomeKit Accessory Protocol Specification (non-commercial), "Pair Setup".
package struct HomeKitPairing: Sendable {
    /// The next step after a message.
    package enum Step: Sendable, Hashable {
        case send([UInt8])
        /// The paired device to store, with the identity by which it knows this machine.
        case paired(PairedDevice)
        /// The pairing holds for this connection alone.
        case transient(ChannelKeys)
    }

    private enum State {
        case begun
        case proving(PasswordClient<SHA512>.Session)
        case exchanging(secret: [UInt8])
        case over
    }

    private let identity: PairingIdentity
    private let code: String
    private let exponent: [UInt8]
    private let isTransient: Bool
    private var state = State.begun

    /// - Parameters:
    ///   - code: As it is on the screen.
    ///   - exponent: 32 random bytes.
    package init(code: String, identity: PairingIdentity, exponent: [UInt8]) {
        self.init(code: code, identity: identity, exponent: exponent, isTransient: false)
    }

    private init(code: String, identity: PairingIdentity, exponent: [UInt8], isTransient: Bool) {
        self.code = code
        self.identity = identity
        self.exponent = exponent
        self.isTransient = isTransient
    }

    /// Returns a pairing without a personal code. The code is public, so the pairing only prevents passive
    /// eavesdropping.
    ///
    /// - Parameter exponent: 32 random bytes.
    package static func transient(exponent: [UInt8]) -> HomeKitPairing {
        HomeKitPairing(code: "3939", identity: PairingIdentity(identifier: ""), exponent: exponent, isTransient: true)
    }

    /// The first message: the device shows its code.
    package static var first: [UInt8] { TaggedValues([(.method, [0]), (.state, [1])]).encoded }

    /// The first message of ``transient(exponent:)``.
    package static var firstTransient: [UInt8] {
        TaggedValues([(.method, [0]), (.state, [1]), (.flags, [0x10])]).encoded
    }

    /// Processes the device's answer.
    ///
    /// - Throws: ``PairingError``. The pairing has ended then.
    package mutating func received(_ answer: [UInt8]) throws(PairingError) -> Step {
        let current = state
        state = .over
        let values = try TaggedValues(answer)
        if let error = PairingError(values) { throw error }
        switch (current, values[.state]) {
        case (.begun, [2]): return .send(try prove(values))
        case (.proving(let session), [4]):
            try session.verify(values[.proof] ?? [])
            return isTransient ? .transient(ChannelKeys(secret: session.key)) : .send(try exchange(session))
        case (.exchanging(let secret), [6]): return .paired(try finish(secret, values))
        default: throw .malformed("an answer out of turn")
        }
    }

    private mutating func prove(_ values: TaggedValues) throws(PairingError) -> [UInt8] {
        guard let salt = values[.salt], let serverKey = values[.publicKey] else { throw .malformed("no public key") }
        let client = PasswordClient(.homeKit, user: "Pair-Setup", password: code, exponent: exponent)
        let session = try client.session(salt: salt, serverKey: serverKey)
        state = .proving(session)
        return TaggedValues([(.state, [3]), (.publicKey, client.publicKey), (.proof, session.proof)]).encoded
    }

    private mutating func exchange(_ session: PasswordClient<SHA512>.Session) throws(PairingError) -> [UInt8] {
        let own = PairingCipher.key(
            session.key, salt: "Pair-Setup-Controller-Sign-Salt", info: "Pair-Setup-Controller-Sign-Info")
        let signature = try identity.signature(own.bytes, identity.identifier, identity.publicKey)
        let told = TaggedValues([
            (.identifier, identity.identifier), (.publicKey, identity.publicKey), (.signature, signature),
        ])
        state = .exchanging(secret: session.key)
        let sealed = try PairingCipher.seal(told.encoded, "PS-Msg05", key: Self.key(session.key))
        return TaggedValues([(.state, [5]), (.encryptedData, sealed)]).encoded
    }

    private func finish(_ secret: [UInt8], _ values: TaggedValues) throws(PairingError) -> PairedDevice {
        let plain = try PairingCipher.open(values[.encryptedData] ?? [], "PS-Msg06", key: Self.key(secret))
        let told = try TaggedValues(plain)
        guard let identifier = told[.identifier], let publicKey = told[.publicKey], let signature = told[.signature]
        else { throw .malformed("a device that does not say who it is") }
        let device = PairedDevice(identifier: identifier, publicKey: publicKey)
        let theirs = PairingCipher.key(
            secret, salt: "Pair-Setup-Accessory-Sign-Salt", info: "Pair-Setup-Accessory-Sign-Info")
        try device.verify(signature, theirs.bytes, identifier, publicKey)
        return device
    }

    private static func key(_ secret: [UInt8]) -> SymmetricKey {
        PairingCipher.key(secret, salt: "Pair-Setup-Encrypt-Salt", info: "Pair-Setup-Encrypt-Info")
    }
}
