import Testing

@testable import CastStreaming

/// Parts of frames, against those of openscreen.
@Suite struct RTPPacketTests {
    private func bytes(_ name: String) throws -> [UInt8] {
        try OpenscreenPackets.named("rtp_packet_parser/rtp_packet_" + name)
    }

    @Test func aPacketOfAKeyFrameIsRead() throws {
        let packet = try RTPPacket(try bytes("for_key_frame"))
        #expect(packet.payloadType == 96 && packet.sequenceNumber == 0xBEEF && packet.timestamp == 0x0908_0706)
        #expect(packet.source == 0x0102_0304 && packet.isKey && packet.frame == 5)
        #expect(packet.packet == 0x0A0B && packet.lastPacket == 0x0A0C && packet.reference == nil)
        #expect(packet.payload == [0xF, 0xE, 0xD, 0xC, 0xB, 0xA, 0x9, 0x8])
        #expect(packet.encoded == (try bytes("for_key_frame")))
    }

    @Test func referencesAndExtensionsAreRead() throws {
        #expect(try RTPPacket(try bytes("for_non_key_frame_with_rfid")).reference == 39)
        let one = try RTPPacket(try bytes("for_key_frame_with_latency_ext"))
        #expect(one.playoutDelay == 270 && one.payload.count == 15)
        #expect(one.encoded == (try bytes("for_key_frame_with_latency_ext")))
        let several = try RTPPacket(try bytes("for_key_frame_with_multiple_ext"))
        #expect(several.playoutDelay == 270 && several.payload == one.payload)
    }

    @Test(arguments: [
        "for_key_frame_with_bad_packet_id", "trunc_to_1_byte", "trunc_to_18_bytes", "trunc_to_22_bytes",
        "trunc_to_33_bytes",
    ])
    func damagedPacketsAreRefused(_ name: String) throws {
        let bytes = try bytes(name)
        #expect(throws: StreamingError.self) { try RTPPacket(bytes) }
    }

    @Test func aPacketWithoutContentIsRead() throws {
        #expect(try RTPPacket(try bytes("trunc_to_34_bytes")).payload.isEmpty)
    }

    /// The vector F.5.1 of NIST SP 800-38A: its counter is the mask, whose bytes 8 to 11 the number of the frame changes.
    @Test func framesAreEncrypted() throws {
        let key: [UInt8] = [
            0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C,
        ]
        let plain: [UInt8] = [
            0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93, 0x17, 0x2A,
        ]
        let encrypted: [UInt8] = [
            0x87, 0x4D, 0x61, 0x91, 0xB6, 0x20, 0xE3, 0x26, 0x1B, 0xEF, 0x68, 0x64, 0x99, 0x0D, 0xB6, 0xCE,
        ]
        let counter = [UInt8](0xF0...0xFF)
        let cipher = try #require(FrameCipher(key: key, mask: counter))
        #expect(cipher.apply(to: plain, number: 0) == encrypted)
        var other = counter
        for (index, byte) in [UInt8(1), 2, 3, 4].enumerated() { other[8 + index] ^= byte }
        let numbered = try #require(FrameCipher(key: key, mask: other))
        #expect(numbered.apply(to: plain, number: 0x0102_0304) == encrypted)
        #expect(cipher.apply(to: cipher.apply(to: plain, number: 7), number: 7) == plain)
        #expect(FrameCipher(key: [1], mask: counter) == nil)
    }
}
