import Foundation
import HostInterface
import Testing

@testable import MediaDevice

struct VideoAssemblyTests {
    private struct Packet {
        var header: VideoPacket
        var part: Data
    }

    private static func packets(_ unit: [UInt8], number: UInt64, isKey: Bool = false) -> [Packet] {
        unit.withUnsafeBytes { VideoPacket.packets(of: $0, time: number, number: number, isKey: isKey) }.compactMap {
            packet in
            packet.withUnsafeBytes { VideoPacket($0) }
                .map { Packet(header: $0, part: Data(packet[VideoPacket.headerLength...])) }
        }
    }

    /// The numbers of the frames that come out, and how often a key frame was asked for.
    private static func outcome(_ packets: [Packet]) -> (frames: [UInt64], requests: Int) {
        var assembly = VideoAssembly()
        var (frames, requests): ([UInt64], Int) = ([], 0)
        for packet in packets {
            switch assembly.take(packet.header, packet.part) {
            case .frame(let unit, let header):
                #expect(unit.count == Int(header.length))
                frames.append(header.number)
            case .keyFrameNeeded: requests += 1
            case .incomplete: break
            }
        }
        return (frames, requests)
    }

    private static let long = [UInt8](repeating: 1, count: 150_000)

    @Test func framesComeOutWholeFromTheFirstKeyFrameOn() {
        let packets =
            Self.packets([1], number: 6) + Self.packets([1], number: 7)
            + Self.packets(Self.long, number: 8, isKey: true)
            + Self.packets([2], number: 9)
        let (frames, requests) = Self.outcome(packets)
        #expect(frames == [8, 9] && requests == 1)
    }

    /// The next process of an extension begins in the middle of an access unit.
    @Test func theMiddleOfAnAccessUnitIsLeftOut() {
        let packets =
            Self.packets(Self.long, number: 3, isKey: true).dropFirst() + Self.packets([1], number: 4)
            + Self.packets([1], number: 5, isKey: true)
        let (frames, requests) = Self.outcome(packets)
        #expect(frames == [5] && requests == 1)
    }

    @Test func aLossWaitsForAKeyFrame() {
        var lost = Self.packets(Self.long, number: 1)
        lost.remove(at: 1)
        let packets =
            Self.packets([1], number: 0, isKey: true) + lost + Self.packets([1], number: 2)
            + Self.packets([1], number: 3, isKey: true) + Self.packets([1], number: 5)
            + Self.packets([1], number: 6, isKey: true)
        let (frames, requests) = Self.outcome(packets)
        #expect(frames == [0, 3, 6] && requests == 2)
    }

    /// The other end is another program: nothing that it sends may do harm.
    @Test func anySequenceOfPacketsIsTaken() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var assembly = VideoAssembly()
            for _ in 0..<200 {
                let header = VideoPacket(
                    time: generator.next(), number: generator.next(upperBound: 3 as UInt64),
                    offset: generator.next(upperBound: 5 as UInt32) &* 2,
                    length: generator.next(upperBound: 9 as UInt32),
                    isKey: generator.next(upperBound: 2 as UInt32) == 0)
                let part = Data(count: Int(generator.next(upperBound: 5 as UInt32)))
                if case .frame(let unit, let header) = assembly.take(header, part) {
                    #expect(unit.count == Int(header.length))
                }
            }
        }
    }
}
