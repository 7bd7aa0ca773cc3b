import Foundation
import Glibc
import HostInterface
import MediaDecodingSupport
import MediaReading
import PacketSockets
import Synchronization
import Testing

/// The client of a reader, with the real decoder behind a real socket.
@Suite(.timeLimit(.minutes(1))) struct MediaReaderTests {
    private static func all(_ reader: MediaReader) throws -> [Int16] {
        var samples: [Int16] = []
        while let more = try reader.read() { samples += more }
        return samples
    }

    private static func open(_ path: String, _ stop: ReadingStop = ReadingStop()) throws -> MediaReader {
        try MediaReader(.local(path), rate: 44_100, stop: stop)
    }

    @Test func everySampleArrivesAndTheEndIsTold() throws {
        let wave = try WaveFile(frames: 300_001)
        let reader = try Self.open(wave.path)
        #expect(reader.facts.isSeekable && abs((reader.facts.duration ?? 0) - 300_001 / 44_100) < 0.001)
        #expect(try Self.all(reader) == wave.samples)
        #expect(try reader.read() == nil)
    }

    /// Packets that were sent before a seek aren't taken for those after it.
    @Test func seeksToTheFrameAlsoAfterTheEnd() throws {
        let wave = try WaveFile(frames: 200_000)
        let reader = try Self.open(wave.path)
        _ = try reader.read()
        for frame in [150_000, 1, 199_999, 0] {
            try reader.seek(toFrame: Int64(frame))
            #expect(try Self.all(reader) == Array(wave.samples[(frame * 2)...]), "from \(frame)")
        }
    }

    @Test func errorsKeepTheirReasons() throws {
        let error = #expect(throws: DecodingError.self) { try Self.open("/nonexistent.flac") }
        guard case .unreadable(let reason) = error else { throw try #require(error) }
        #expect(!reason.isEmpty)
        let text = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp3")
        try Data("no music".utf8).write(to: text)
        defer { try? FileManager.default.removeItem(at: text) }
        #expect(throws: DecodingError.self) { try Self.open(text.path) }
        #expect(throws: DecodingError.self) { try MediaReader(.local("/"), rate: 5, stop: ReadingStop()) }
    }

    /// A reader that never answers.
    @Test func aStopEndsTheWait() throws {
        let stop = ReadingStop()
        let ends = Mutex<[Int32]>([])
        let silent = MediaReaderSource { socket in
            ends.withLock { $0.append(socket) }
            stop.stop()
        }
        #expect(throws: DecodingError.cancelled) { try MediaReader(silent, rate: 44_100, stop: stop) }
        for end in ends.withLock({ $0 }) { close(end) }
    }

    @Test func aReaderThatAlwaysFailsIsGivenUp() throws {
        let count = Mutex(0)
        let failing = MediaReaderSource { socket in
            count.withLock { $0 += 1 }
            close(socket)
        }
        let error = #expect(throws: DecodingError.self) { try MediaReader(failing, rate: 44_100, stop: ReadingStop()) }
        #expect(error == .unreadable("the program that decodes it failed"))
        let attempts = count.withLock { $0 }
        #expect(attempts == 3)
    }

    /// Packets that a reader could send if the media took it over.
    @Test(arguments: [
        ReaderPacket.samples([1, 2], generation: 0).bytes, [0xFF, 0xFF], ReaderPacket.end(generation: 0).bytes,
        [UInt8](repeating: 0, count: 60_000),
    ])
    func somethingElseIsNotTakenForMedia(_ bytes: [UInt8]) throws {
        let wrong = MediaReaderSource { socket in
            PacketSocket.send(bytes, on: socket)
            close(socket)
        }
        #expect(throws: DecodingError.self) { try MediaReader(wrong, rate: 44_100, stop: ReadingStop()) }
    }

    @Test func anEndlessPictureIsNotKept() throws {
        let endless = MediaReaderSource { socket in
            Thread.detachNewThread {
                let part = ReaderPacket.picture([UInt8](repeating: 0, count: ReaderPacket.longestContent)).bytes
                while PacketSocket.send(part, on: socket) {}
                close(socket)
            }
        }
        #expect(throws: DecodingError.self) { try MediaReader(endless, rate: 44_100, stop: ReadingStop()) }
    }

    @Test func aBrokenReaderIsReplacedAndNothingIsLost() throws {
        let wave = try WaveFile(frames: 600_000)
        let sockets = Mutex<[ReaderSocket]>([])
        let source = MediaReaderSource { socket in
            let socket = ReaderSocket(received: socket)
            sockets.withLock { $0.append(socket) }
            serveLocally(ReaderRequest(address: wave.path), on: socket)
        }
        let reader = try MediaReader(source, rate: 44_100, stop: ReadingStop())
        var samples: [Int16] = []
        while let more = try reader.read() {
            samples += more
            // After each second of media.
            let due = samples.count / 2 / 44_100 + 1
            sockets.withLock { if $0.count < due, let last = $0.last { shutdown(last.number, Int32(SHUT_RDWR)) } }
        }
        #expect(samples == wave.samples)
        let processes = sockets.withLock { $0.count }
        #expect(processes > 10)
    }
}
