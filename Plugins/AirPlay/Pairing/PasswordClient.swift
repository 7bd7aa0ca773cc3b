package import Crypto

/// The side of ``SecureRemotePassword`` that gives the password.
package struct PasswordClient<Hash: HashFunction>: Sendable {
    /// The result of the other side's answer.
    package struct Session: Sendable {
        /// The hash of the shared secret.
        package let key: [UInt8]
        /// The proof of the password to send.
        package let proof: [UInt8]
        private let expected: [UInt8]

        init(key: [UInt8], proof: [UInt8], expected: [UInt8]) {
            self.key = key
            self.proof = proof
            self.expected = expected
        }

        /// Verifies the other side's proof.
        ///
        /// - Throws: ``PairingError/unproved`` if the other side doesn't know the password.
        package func verify(_ answer: [UInt8]) throws(PairingError) {
            guard SecureRemotePassword<Hash>.isSame(answer, expected) else { throw .unproved }
        }
    }

    private let scheme: SecureRemotePassword<Hash>
    private let user: String
    private let password: String
    private let exponent: LargeNumber
    private let own: LargeNumber

    /// - Parameter exponent: At least 32 random bytes.
    package init(_ scheme: SecureRemotePassword<Hash>, user: String, password: String, exponent: [UInt8]) {
        self.scheme = scheme
        self.user = user
        self.password = password
        self.exponent = SecureRemotePassword<Hash>.number(exponent)
        own = scheme.power(scheme.generator, self.exponent)
    }

    package var publicKey: [UInt8] { scheme.padded(own) }

    /// - Parameters:
    ///   - salt: As the other side sent it.
    ///   - serverKey: Its public key.
    /// - Throws: ``PairingError/malformed(_:)`` for a key that would give the secret away.
    package func session(salt: [UInt8], serverKey: [UInt8]) throws(PairingError) -> Session {
        let server = SecureRemotePassword<Hash>.number(serverKey)
        // RFC 5054 §2.5.3, §2.6.
        guard serverKey.count <= scheme.size, server % scheme.modulus != 0 else {
            throw .malformed("a public key of nothing")
        }
        let scrambler = scheme.scrambler(own, server)
        guard scrambler != 0 else { throw .malformed("public keys that hide nothing") }
        let key = scheme.key(secret: secret(salt: salt, server: server, scrambler: scrambler))
        let proof = scheme.clientProof(user: user, salt: salt, client: publicKey, server: serverKey, key: key)
        return Session(
            key: key, proof: proof, expected: scheme.serverProof(client: publicKey, proof: proof, key: key))
    }

    /// Returns `S`, the shared secret of both sides.
    func secret(salt: [UInt8], server: LargeNumber, scrambler: LargeNumber) -> LargeNumber {
        let secret = scheme.secret(user: user, password: password, salt: salt)
        let known = scheme.multiplier * scheme.power(scheme.generator, secret) % scheme.modulus
        let base = (server % scheme.modulus + scheme.modulus - known) % scheme.modulus
        return scheme.power(base, exponent + scrambler * secret)
    }
}
