import Foundation
import ScreenEncoding
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransportStreamTests {
    private static let size = PictureSize(width: 320, height: 240)
    private static let interval: Int64 = 33_333

    /// A stream of one colour after another, with silence, as bytes.
    private func stream(pictures count: Int, bitRate: Int = 1_000_000) throws -> [UInt8] {
        let pipe = Pipe()
        let output = StreamOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let encoder = try PictureEncoder(size: Self.size, rate: 30, bitRate: bitRate)
        let sound = try SoundEncoder()
        let stream = try TransportStream(to: output, picture: encoder, sound: sound)
        for number in 0..<count {
            let time = Int64(number) * Self.interval
            let pixels = [UInt8](repeating: UInt8(truncatingIfNeeded: number * 8), count: 640 * 480 * 4)
            try pixels.withUnsafeBufferPointer { buffer in
                let picture = ScreenPicture(
                    pixels: try #require(buffer.baseAddress), stride: 640 * 4,
                    size: PictureSize(width: 640, height: 480), order: .blueFirst)
                try encoder.encode(picture, at: time, isKey: number == 0, into: stream)
            }
            try sound.encode([Int16](repeating: 0, count: 1600 * 2), at: time, into: stream)
            stream.pad(to: bitRate, until: time)
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while output.backlog > 0 {
            let length = read(pipe.fileHandleForReading.fileDescriptor, &piece, piece.count)
            try #require(length > 0)
            bytes += piece[..<length]
        }
        return bytes
    }

    private func packets(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count - 187, by: 188).map { bytes[$0..<($0 + 188)] }
    }

    private func identifier(_ packet: ArraySlice<UInt8>) -> Int {
        let begin = packet.startIndex
        return Int(packet[begin + 1] & 0x1F) << 8 | Int(packet[begin + 2])
    }

    @Test func itIsATransportStreamWithPicturesAndSound() throws {
        let bytes = try stream(pictures: 30)
        #expect(bytes.count > 0 && bytes.count.isMultiple(of: 188))
        let packets = packets(bytes)
        #expect(packets.allSatisfy { $0.first == 0x47 })
        let identifiers = Set(packets.map(identifier))
        // The program's tables, pictures, sound, and padding.
        #expect(identifiers.isSuperset(of: [0, 4096, 256, 257, 8191]), "\(identifiers)")
        #expect(packets.filter { identifier($0) == 0 }.count >= 30, "a device can join at each picture")
    }

    @Test func eachPictureComesOutAtOnce() throws {
        let one = packets(try stream(pictures: 1)).filter { identifier($0) == 256 }
        #expect(!one.isEmpty)
    }

    @Test func itHasTheWantedRate() throws {
        let seconds = 3.0
        let bytes = try stream(pictures: 90, bitRate: 1_000_000)
        let rate = Double(bytes.count * 8) / seconds
        #expect((900_000...1_200_000).contains(rate), "\(rate) bit/s")
    }
}

@Suite(.timeLimit(.minutes(1))) struct StreamOutputTests {
    @Test func theBacklogIsWhatNobodyRead() throws {
        let pipe = Pipe()
        let output = StreamOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(output.backlog == 0 && !output.isClosed)
        let encoder = try PictureEncoder(size: PictureSize(width: 64, height: 64), rate: 30, bitRate: 400_000)
        let stream = try TransportStream(to: output, picture: encoder, sound: nil)
        // More than any pipe takes: writing doesn't wait.
        for second in 1...40 { stream.pad(to: 800_000, until: Int64(second) * 1_000_000) }
        let backlog = output.backlog
        #expect(backlog > 1_000_000)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(pipe.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
        #expect(count > 0 && output.backlog == backlog - count)
    }

    @Test func itKnowsThatTheReaderIsGone() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let output = StreamOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()
        _ = output.backlog
        #expect(output.isClosed)
    }
}
