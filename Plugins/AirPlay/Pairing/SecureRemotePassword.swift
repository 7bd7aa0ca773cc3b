package import Crypto
import Foundation

/// Proving to each other that both know a password, without sending it: SRP-6a.
///
/// Source: RFC 5054 §2, and RFC 2945 §3 for the proofs; HomeKit's pairing uses it with 3072 bits and SHA-512.
package struct SecureRemotePassword<Hash: HashFunction>: Sendable {
    /// The derivation of the session key from the shared secret.
    package enum KeyDerivation: Sendable, Hashable {
        /// Its hash.
        case hash
        /// Two hashes behind each other, of the secret with a number of four bytes behind it, 0 and 1.
        case counted
    }

    let keyDerivation: KeyDerivation
    let modulus: LargeNumber
    let generator: LargeNumber
    /// Bytes of a public key.
    let size: Int
    private let powers: ModularPowers

    /// - Parameters:
    ///   - modulus: A safe prime in hexadecimal digits, spaces between them.
    package init(modulus: String, generator: Int, keyDerivation: KeyDerivation = .hash) {
        // The groups below are the only ones, and are read by their tests.
        self.modulus = LargeNumber(hexadecimal: modulus) ?? 0
        self.generator = LargeNumber(UInt64(generator))
        self.keyDerivation = keyDerivation
        size = (self.modulus.bitWidth + 7) / 8
        powers = ModularPowers(self.modulus)
    }

    // MARK: Numbers of both sides

    /// Returns `x`, which is derived from the password and the salt.
    func secret(user: String, password: String, salt: [UInt8]) -> LargeNumber {
        Self.number(Self.hash(salt, Self.hash(Array("\(user):\(password)".utf8))))
    }

    /// Returns `v`, which the verifying side stores instead of the password.
    package func verifier(user: String, password: String, salt: [UInt8]) -> [UInt8] {
        padded(power(generator, secret(user: user, password: password, salt: salt)))
    }

    /// Modulo the group's number.
    func power(_ base: LargeNumber, _ exponent: LargeNumber) -> LargeNumber {
        powers.power(base, exponent, modulus: modulus)
    }

    /// `k`.
    var multiplier: LargeNumber { Self.number(Self.hash(padded(modulus), padded(generator))) }

    /// `u`, of both public keys.
    func scrambler(_ client: LargeNumber, _ server: LargeNumber) -> LargeNumber {
        Self.number(Self.hash(padded(client), padded(server)))
    }

    /// `K`, of `S`.
    func key(secret: LargeNumber) -> [UInt8] {
        let bytes = Self.bytes(secret)
        return switch keyDerivation {
        case .hash: Self.hash(bytes)
        case .counted: Self.hash(bytes, [0, 0, 0, 0]) + Self.hash(bytes, [0, 0, 0, 1])
        }
    }

    /// As many bytes as the modulus has.
    func padded(_ number: LargeNumber) -> [UInt8] {
        let bytes = Self.bytes(number)
        return [UInt8](repeating: 0, count: max(0, size - bytes.count)) + bytes
    }

    /// Returns the client's proof that it has the key.
    ///
    /// - Parameters:
    ///   - client: The client's public key, as sent.
    ///   - server: The server's public key, as sent.
    func clientProof(
        user: String, salt: [UInt8], client: [UInt8], server: [UInt8], key: [UInt8]
    ) -> [UInt8] {
        let group = zip(Self.hash(Self.bytes(modulus)), Self.hash(Self.bytes(generator))).map { $0 ^ $1 }
        return Self.hash(group, Self.hash(Array(user.utf8)), salt, client, server, key)
    }

    /// Returns the server's answer to the proof.
    func serverProof(client: [UInt8], proof: [UInt8], key: [UInt8]) -> [UInt8] { Self.hash(client, proof, key) }

    static func bytes(_ number: LargeNumber) -> [UInt8] { number.bytes }

    static func number(_ bytes: [UInt8]) -> LargeNumber { LargeNumber(bytes: bytes) }

    static func hash(_ parts: [UInt8]...) -> [UInt8] {
        var hash = Hash()
        for part in parts { hash.update(data: part) }
        return Array(hash.finalize())
    }

    /// Returns a Boolean value that indicates whether two proofs are equal, in constant time.
    static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension SecureRemotePassword where Hash == SHA512 {
    /// HomeKit's: 3072 bits of RFC 5054 (RFC 3526's group 15).
    package static var homeKit: Self {
        Self(
            modulus: """
                FFFFFFFF FFFFFFFF C90FDAA2 2168C234 C4C6628B 80DC1CD1 29024E08 8A67CC74 020BBEA6 3B139B22 514A0879 8E3404DD
                EF9519B3 CD3A431B 302B0A6D F25F1437 4FE1356D 6D51C245 E485B576 625E7EC6 F44C42E9 A637ED6B 0BFF5CB6 F406B7ED
                EE386BFB 5A899FA5 AE9F2411 7C4B1FE6 49286651 ECE45B3D C2007CB8 A163BF05 98DA4836 1C55D39A 69163FA8 FD24CF5F
                83655D23 DCA3AD96 1C62F356 208552BB 9ED52907 7096966D 670C354E 4ABC9804 F1746C08 CA18217C 32905E46 2E36CE3B
                E39E772C 180E8603 9B2783A2 EC07A28F B5C55DF0 6F4C52C9 DE2BCBF6 95581718 3995497C EA956AE5 15D22618 98FA0510
                15728E5A 8AAAC42D AD33170D 04507A33 A85521AB DF1CBA64 ECFB8504 58DBEF0A 8AEA7157 5D060C7D B3970F85 A6E1E4C7
                ABF5AE8C DB0933D7 1E8C94E0 4A25619D CEE3D226 1AD2EE6B F12FFA06 D98A0864 D8760273 3EC86A64 521F2B18 177B200C
                BBE11757 7A615D6C 770988C0 BAD946E2 08E24FA0 74E5AB31 43DB5BFC E0FD108E 4B82D120 A93AD2CA FFFFFFFF FFFFFFFF
                """, generator: 5)
    }
}

extension SecureRemotePassword where Hash == Insecure.SHA1 {
    /// The group of the pairing before HomeKit: 2048 bits of RFC 5054.
    package static var legacy: Self {
        Self(
            modulus: """
                AC6BDB41 324A9A9B F166DE5E 1389582F AF72B665 1987EE07 FC319294 3DB56050 A37329CB B4A099ED 8193E075 7767A13D
                D52312AB 4B03310D CD7F48A9 DA04FD50 E8083969 EDB767B0 CF609517 9A163AB3 661A05FB D5FAAAE8 2918A996 2F0B93B8
                55F97993 EC975EEA A80D740A DBF4FF74 7359D041 D5C33EA7 1D281E44 6B14773B CA97B43A 23FB8016 76BD207A 436C6481
                F1D2B907 8717461A 5B9D32E6 88F87748 544523B5 24B0D57D 5EA77A27 75D2ECFA 032CFBDB F52FB378 61602790 04E57AE6
                AF874E73 03CE5329 9CCC041C 7BC308D8 2A5698F3 A8D0C382 71AE35F8 E9DBFBB6 94B5C803 D89F7AE4 35DE236D 525F5475
                9B65E372 FCD68EF2 0FA7111F 9E4AFF73
                """, generator: 2, keyDerivation: .counted)
    }
}
