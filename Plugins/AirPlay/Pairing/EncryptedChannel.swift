import Crypto
import Foundation

/// The keys for sending and receiving on one connection, 32 bytes each.
package struct ChannelKeys: Sendable, Hashable {
    package let sending: [UInt8]
    package let receiving: [UInt8]

    package init(sending: [UInt8], receiving: [UInt8]) {
        self.sending = sending
        self.receiving = receiving
    }

    /// Derives the keys from the shared secret of a verification or a transient pairing.
    init(secret: [UInt8]) {
        func key(_ info: String) -> [UInt8] { PairingCipher.key(secret, salt: "Control-Salt", info: info).bytes }
        self.init(sending: key("Control-Write-Encryption-Key"), receiving: key("Control-Read-Encryption-Key"))
    }

    /// The keys of the other side.
    package var reversed: ChannelKeys { ChannelKeys(sending: receiving, receiving: sending) }
}

/// A connection that is encrypted in both directions. Each frame has a length of two bytes, the ciphertext and a tag.
///
/// Source: HomeKit Accessory Protocol Specification (non-commercial), "Session security"; RFC 8439.
package struct EncryptedChannel: Sendable {
    /// Bytes of a frame before encryption.
    package static let frameLength = 1024
    private static let tagLength = 16

    private let keys: ChannelKeys
    private var sent: UInt64 = 0
    private var received: UInt64 = 0
    private var buffer: [UInt8] = []

    package init(_ keys: ChannelKeys) { self.keys = keys }

    package mutating func seal(_ plain: [UInt8]) throws(PairingError) -> [UInt8] {
        var frames: [UInt8] = []
        var rest = plain[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.frameLength)
            rest = rest.dropFirst(piece.count)
            let length = [UInt8(piece.count & 0xFF), UInt8(piece.count >> 8)]
            do {
                let box = try ChaChaPoly.seal(
                    piece, using: SymmetricKey(data: keys.sending), nonce: try Self.nonce(sent), authenticating: length)
                frames += length + box.ciphertext + box.tag
            } catch {
                throw .malformed("a frame cannot be encrypted")
            }
            sent += 1
        }
        return frames
    }

    /// Appends bytes that arrived.
    ///
    /// - Returns: The decrypted bytes of complete frames.
    /// - Throws: ``PairingError/unproved`` for a frame that was forged or changed. The channel can't be used
    ///   afterwards.
    package mutating func open(_ bytes: some Collection<UInt8>) throws(PairingError) -> [UInt8] {
        buffer += bytes
        var plain: [UInt8] = []
        var offset = 0
        while buffer.count - offset >= 2 {
            let length = Int(buffer[offset]) | Int(buffer[offset + 1]) << 8
            guard length <= Self.frameLength else { throw .malformed("a frame of \(length) bytes") }
            let end = offset + 2 + length + Self.tagLength
            guard buffer.count >= end else { break }
            let sealed = buffer[(offset + 2)..<end]
            do {
                let box = try ChaChaPoly.SealedBox(
                    nonce: try Self.nonce(received), ciphertext: sealed.dropLast(Self.tagLength),
                    tag: sealed.suffix(Self.tagLength))
                plain += try ChaChaPoly.open(
                    box, using: SymmetricKey(data: keys.receiving), authenticating: buffer[offset..<offset + 2])
            } catch {
                throw .unproved
            }
            received += 1
            offset = end
        }
        buffer.removeFirst(offset)
        return plain
    }

    private static func nonce(_ number: UInt64) throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }
}
