import Crypto
import CryptoExtras
import Foundation

/// The encryption of frames: AES-128 in counter mode, which begins anew with each frame.
public struct FrameCipher: Sendable, Hashable {
    public static let length = 16

    /// 16 bytes.
    public let key: [UInt8]
    /// 16 bytes.
    public let mask: [UInt8]

    /// - Returns: `nil` unless both have 16 bytes.
    public init?(key: [UInt8], mask: [UInt8]) {
        guard key.count == Self.length, mask.count == Self.length else { return nil }
        self.key = key
        self.mask = mask
    }

    /// Creates a cipher with a random key and mask.
    public init() {
        var generator = SystemRandomNumberGenerator()
        key = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        mask = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Encrypts a frame, or decrypts it.
    public func apply(to frame: [UInt8], number: Int) -> [UInt8] {
        var counter = mask
        // Source: Cast Streaming; the number of the frame is in bytes 8 to 11 of the counter's first value.
        for index in 0..<4 { counter[8 + index] ^= UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: counter),
            let result = try? AES._CTR.encrypt(frame, using: SymmetricKey(data: key), nonce: nonce)
        else { return [] }
        return Array(result)
    }
}
