import Crypto
import Foundation
import Testing

@testable import AirPlayProtocol

/// Tests of the encryption; `SpeakerTests` proves with shairport-sync that a receiver understands the key.
struct StreamEncryptionTests {
    // NIST SP 800-38A, F.2.1: CBC-AES128.Encrypt, the first two blocks.
    private static let key = bytes("2b7e151628aed2a6abf7158809cf4f3c")
    private static let vector = bytes("000102030405060708090a0b0c0d0e0f")
    private static let plain = bytes("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    private static let sealed = bytes("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2")

    private static func bytes(_ digits: String) -> [UInt8] {
        stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    }

    private static func encryption() throws -> StreamEncryption {
        try StreamEncryption(key: SymmetricKey(data: key), vector: vector)
    }

    @Test func wholeBlocksAreEncryptedEachPacketByItself() throws {
        let encryption = try Self.encryption()
        let header = [UInt8](0x80..<0x8C)
        for rest in [[], [1], [UInt8](1...15)] {
            #expect(encryption.sealed(header + Self.plain + rest) == header + Self.sealed + rest)
        }
        #expect(encryption.sealed(header) == header)
    }

    @Test func theDescriptionCarriesTheKeySealed() throws {
        let description = StreamDescription(
            session: 1, localAddress: "10.0.0.4", remoteAddress: "10.0.0.5", encryption: try Self.encryption())
        let lines = description.text.components(separatedBy: "\r\n")
        #expect(lines.contains("a=aesiv:AAECAwQFBgcICQoLDA0ODw"))
        let key = try #require(lines.first { $0.hasPrefix("a=rsaaeskey:") }?.dropFirst("a=rsaaeskey:".count))
        #expect(Data(base64Encoded: key + "==")?.count == 256, "a block of RSA with 2048 bits")
        #expect(lines.last?.isEmpty == true, "every line is ended")
    }

    @Test func eachStreamHasAKeyOfItsOwn() throws {
        let packet = [UInt8](repeating: 0, count: 44)
        #expect(try StreamEncryption().sealed(packet) != StreamEncryption().sealed(packet))
    }

    /// Resent packets are encrypted, too.
    @Test func whoWantsItGetsNothingElse() throws {
        var stream = AudioStream(sequenceNumber: 0, timestamp: 0, source: 0, latency: 1)
        var (open, closed) = (AudioListener(), AudioListener())
        open.listen(delay: 0, latency: 1)
        closed.listen(delay: 0, latency: 1, encryption: try Self.encryption())
        stream.enqueue(LosslessFrame.encode([1, 2, 3]))
        stream.start(at: StreamTime(nanoseconds: 0))
        for case .sendAudio(let packet) in stream.due(at: StreamTime(nanoseconds: 200_000_000)) {
            let (plain, sealed) = (open.audio(packet), closed.audio(packet))
            #expect(plain?.prefix(12) == sealed?.prefix(12) && plain?.dropFirst(12) != sealed?.dropFirst(12))
        }
        let request: [UInt8] = [0x80, 0xD5, 0, 1, 0, 2, 0, 1]
        let (plain, sealed) = (
            open.receivedControl(request, of: stream), closed.receivedControl(request, of: stream)
        )
        #expect(plain.count == 1 && sealed.count == 1 && plain != sealed)
        let sent = try #require(stream.sentPacket(2))
        #expect(sealed.first.map { Array($0.dropFirst(4)) } == (try Self.encryption().sealed(sent)))
    }
}
