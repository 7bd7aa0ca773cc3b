import AirPlayProtocol
import Testing

struct LosslessFrameTests {
    /// Reads a frame back, bit by bit.
    static func decode(_ bytes: [UInt8]) -> [Int16] {
        var position = 0
        func read(_ count: Int) -> Int {
            var value = 0
            for _ in 0..<count {
                value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
                position += 1
            }
            return value
        }
        guard read(3) == 1, read(16) == 0, read(1) == 0, read(2) == 0, read(1) == 1 else { return [] }
        let samples = (0..<704).map { _ in Int16(truncatingIfNeeded: read(16)) }
        return read(3) == 7 ? samples : []
    }

    @Test func keepsEverySample() {
        let samples = (0..<704).map { Int16(truncatingIfNeeded: $0 &* 7919 &- 30_000) }
        let frame = LosslessFrame.encode(samples[...])
        #expect(frame.count == LosslessFrame.encodedSize)
        #expect(Self.decode(frame) == samples)
        #expect(Self.decode(LosslessFrame.encode([.min, .max, -1, 0])).prefix(5) == [.min, .max, -1, 0, 0])
    }

    @Test func fillsUpWithSilence() {
        let frame = LosslessFrame.encode([1, 2, 3])
        #expect(frame.count == LosslessFrame.encodedSize)
        #expect(Self.decode(frame) == [1, 2, 3] + Array(repeating: 0, count: 701))
    }

    @Test func describesTheStream() throws {
        let description = StreamDescription(session: 42, localAddress: "10.0.0.4", remoteAddress: "10.0.0.5")
        #expect(description.uri == "rtsp://10.0.0.4/42")
        #expect(description.text.contains("a=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n"))
        let newer = StreamDescription(session: 42, localAddress: "fe80::1", remoteAddress: "fe80::2")
        #expect(newer.uri == "rtsp://[fe80::1]/42")
        #expect(newer.text.contains("o=iTunes 42 0 IN IP6 fe80::1\r\n"))
    }

    @Test func readsTheReceiversPorts() throws {
        let transport = try StreamTransport(
            header:
                "RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6002;timing_port=6003;server_port=6001")
        #expect(transport.audio == 6001)
        #expect(transport.control == 6002)
        #expect(transport.timing == 6003)
        #expect(try StreamTransport(header: "RTP/AVP/UDP;server_port=1;control_port=2;timing_port=0").timing == nil)
        for wrong in [
            "", "RTP/AVP/UDP;server_port=1", "server_port=99999;control_port=2", "server_port=-1;control_port=2",
        ] {
            #expect(throws: AirPlayError.malformed("a transport without ports")) { try StreamTransport(header: wrong) }
        }
    }

    @Test func volumeIsInDecibels() {
        #expect(AirPlayVolume.parameter(level: 1) == "volume: 0.000000\r\n")
        #expect(AirPlayVolume.parameter(level: 0.5) == "volume: -15.000000\r\n")
        #expect(AirPlayVolume.parameter(level: 0) == "volume: -144.000000\r\n")
        #expect(AirPlayVolume.parameter(level: 7) == "volume: 0.000000\r\n")
        #expect(AirPlayVolume.parameter(level: .nan) == "volume: -144.000000\r\n")
        #expect(AirPlayVolume.level(parameter: "volume: -15.000000\r\n") == 0.5)
        #expect(AirPlayVolume.level(parameter: "\r\nvolume: -144.0\r\n") == 0)
        #expect(AirPlayVolume.level(parameter: "volume: 12") == 1)
        for wrong in ["", "volume", "volume: loud", "volume: nan", "level: -3"] {
            #expect(AirPlayVolume.level(parameter: wrong) == nil)
        }
        for step in 0...100 {
            let level = Float(step) / 100
            #expect(abs((AirPlayVolume.level(parameter: AirPlayVolume.parameter(level: level)) ?? -1) - level) < 0.0001)
        }
    }

    @Test func tagsTheMedia() {
        let encoded = MediaText(title: "Ä", artist: "B").encoded
        #expect(encoded.prefix(8) == [109, 108, 105, 116, 0, 0, 0, 35])
        #expect(encoded.dropFirst(8).prefix(10) == [109, 105, 110, 109, 0, 0, 0, 2, 0xC3, 0x84])
        #expect(encoded.count == 43)
    }
}
