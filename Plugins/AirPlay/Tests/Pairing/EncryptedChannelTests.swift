import Crypto
import Testing

@testable import AirPlayPairing

/// Compared with the output of pyatv 0.18.0 (`pyatv.auth.hap_session`) for the same keys.
struct EncryptedChannelTests {
    private static let keys = ChannelKeys(sending: Array(0..<32), receiving: Array(32..<64))
    private static let request = Array("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n".utf8)
    private static let long = (0..<1500).map { UInt8(truncatingIfNeeded: $0) }

    @Test func theSameFrames() throws {
        var channel = EncryptedChannel(Self.keys)
        #expect(
            try channel.seal(Self.request)
                == RecordedPairing.bytes(
                    "1f0057e81678e2a8f5f139410e35fc136116d681feffa2fe3e2dd6d8cd1f20387fcf3fea2aade6a7a220de260c578e7859"
                ))
        let frames = try channel.seal(Self.long)
        #expect(frames.count == 1536)
        #expect(
            Array(SHA256.hash(data: frames))
                == RecordedPairing.bytes("45e7adc759b7677295afaf1d8fc24c060034321906a66e2bd846dbbd2edf5ba7"))
    }

    @Test(arguments: [1, 2, 17, 1041, 5000]) func whateverWayItIsCut(size: Int) throws {
        var sender = EncryptedChannel(Self.keys)
        var receiver = EncryptedChannel(Self.keys.reversed)
        let frames = try sender.seal(Self.request) + sender.seal(Self.long)
        var plain: [UInt8] = []
        var rest = frames[...]
        while !rest.isEmpty {
            plain += try receiver.open(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(plain == Self.request + Self.long)
    }

    @Test func whatAnotherOneSentOrChangedIsRefused() throws {
        var sender = EncryptedChannel(Self.keys)
        let first = try sender.seal(Self.request)
        for place in [0, 2, first.count - 1] {
            var receiver = EncryptedChannel(Self.keys.reversed)
            var changed = first
            changed[place] ^= 1
            // A length that is one shorter leaves a byte over.
            #expect(throws: PairingError.unproved) { _ = try receiver.open(changed) }
        }
        var again = EncryptedChannel(Self.keys.reversed)
        _ = try again.open(first)
        #expect(throws: PairingError.unproved, "the same frame a second time") { _ = try again.open(first) }
        var huge = EncryptedChannel(Self.keys.reversed)
        #expect(throws: PairingError.malformed("a frame of 65535 bytes")) { _ = try huge.open([0xFF, 0xFF]) }
    }
}
