import DBus
import Glibc
import HostInterface
import Testing

struct VideoPacketTests {
    @Test(arguments: [1, 65_503, 65_504, 65_505, 200_000]) func anAccessUnitIsSentInParts(length: Int) throws {
        let unit = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let packets = unit.withUnsafeBytes { VideoPacket.packets(of: $0, time: 5, number: 9, isKey: true) }
        var joined: [UInt8] = []
        for packet in packets {
            #expect(packet.count <= VideoPacket.maximumLength)
            let header = try #require(packet.withUnsafeBytes { VideoPacket($0) })
            let expected = VideoPacket(
                time: 5, number: 9, offset: UInt32(joined.count), length: UInt32(length), isKey: true)
            #expect(header == expected)
            joined += packet[VideoPacket.headerLength...]
        }
        #expect(joined == unit)
    }

    @Test func othersAreNone() {
        let tooLong = VideoPacket(
            time: 0, number: 0, offset: 0, length: UInt32(VideoPacket.maximumUnitLength + 1), isKey: false)
        var bytes = [UInt8](repeating: 0, count: VideoPacket.headerLength)
        bytes.withUnsafeMutableBytes { tooLong.write(to: $0) }
        #expect(bytes.withUnsafeBytes { VideoPacket($0) } == nil)
        #expect([UInt8](repeating: 0, count: 31).withUnsafeBytes { VideoPacket($0) } == nil)
    }

    @Test(arguments: [(15, 720, 30), (1280, 4321, 30), (1280, 720, 0), (7681, 720, 30), (1280, 720, 241)])
    func sizesAndRatesHaveLimits(width: Int, height: Int, rate: Int) {
        #expect(throws: HostError.self) {
            try DeliveredVideo(width: width, height: height, rate: rate, socket: DBusDescriptor(sending: STDIN_FILENO))
        }
    }
}
