import Foundation
import Glibc
import HostInterface
import MediaDecodingSupport
import MediaReading
import PacketSockets
import Synchronization
import Testing

/// Readers that fail, and those that follow them.
@Suite(.timeLimit(.minutes(1))) struct ReaderReplacementTests {
    private static let rate = 44_100

    /// Readers of silence without a decoder. Each serves as many frames as `length` returns for the frame at which it begins.
    private final class FailingReaders: Sendable {
        private static let blockLength = 1_000
        private let processes = Mutex(0)
        private let facts: MediaFacts
        private let length: @Sendable (_ begin: Int) -> Int

        init(_ facts: MediaFacts, length: @escaping @Sendable (_ begin: Int) -> Int) {
            self.facts = facts
            self.length = length
        }

        var count: Int { processes.withLock { $0 } }

        var source: MediaReaderSource {
            MediaReaderSource { socket in
                let number = self.processes.withLock {
                    $0 += 1
                    return $0
                }
                Thread.detachNewThread {
                    self.serve(socket, isSought: number > 1 && self.facts.isSeekable)
                    close(socket)
                }
            }
        }

        private func serve(_ socket: Int32, isSought: Bool) {
            var buffer = [UInt8](repeating: 0, count: ReaderOrder.length)
            guard PacketSocket.receive(on: socket, into: &buffer) != nil,
                PacketSocket.send(ReaderPacket.facts(facts).bytes, on: socket)
            else { return }
            var (begin, generation): (Int, UInt32) = (0, 0)
            if isSought, let packet = PacketSocket.receive(on: socket, into: &buffer),
                case .seek(let frame, let number) = ReaderOrder(Array(packet))
            {
                (begin, generation) = (Int(frame), number)
            }
            var rest = length(begin)
            while rest > 0 {
                let samples = [Int16](repeating: 0, count: min(rest, Self.blockLength) * 2)
                guard PacketSocket.send(ReaderPacket.samples(samples, generation: generation).bytes, on: socket) else {
                    return
                }
                rest -= samples.count / 2
            }
        }
    }

    private static let file = MediaFacts(duration: 600, isSeekable: true)
    private static let radio = MediaFacts(isSeekable: false)

    /// Reads until the error, or so many frames.
    private static func read(_ reader: MediaReader, upTo limit: Int) -> (frames: Int, error: DecodingError?) {
        var frames = 0
        do throws(DecodingError) {
            while frames < limit, let samples = try reader.read() { frames += samples.count / 2 }
            return (frames, nil)
        } catch {
            return (frames, error)
        }
    }

    @Test func aPlaceThatNoneSurvivesEndsItBehindTheLastSample() throws {
        let place = 5 * Self.rate
        let readers = FailingReaders(Self.file) { max(0, place - $0) }
        let reader = try MediaReader(readers.source, rate: Self.rate, stop: ReadingStop())
        let (frames, error) = Self.read(reader, upTo: .max)
        #expect(frames == place)
        #expect(error == .unreadable("the program that decodes it failed"))
        #expect(readers.count == 4, "the one that came there, and three")
    }

    @Test func aPersonCanGoOnElsewhere() throws {
        let place = 5 * Self.rate
        let readers = FailingReaders(Self.file) { $0 <= place ? place - $0 : 3 * Self.rate }
        let reader = try MediaReader(readers.source, rate: Self.rate, stop: ReadingStop())
        #expect(Self.read(reader, upTo: 4 * Self.rate).error == nil)
        try reader.seek(toFrame: Int64(6 * Self.rate))
        // The first reader doesn't seek: it fails, and the next one begins there.
        let (frames, error) = Self.read(reader, upTo: 2 * Self.rate)
        #expect(frames >= 2 * Self.rate && error == nil)
    }

    /// A server that is asked again may answer something else each time.
    @Test(arguments: [file, radio]) func theyAreNotReplacedForEverForShortPieces(_ facts: MediaFacts) throws {
        let readers = FailingReaders(facts) { _ in Self.rate * 3 / 10 }
        let reader = try MediaReader(readers.source, rate: Self.rate, stop: ReadingStop())
        let (_, error) = Self.read(reader, upTo: 600 * Self.rate)
        #expect(error == .unreadable("the program that decodes it failed"))
        #expect((3...5).contains(readers.count), "\(readers.count)")
    }

    @Test(arguments: [file, radio]) func oneForEachSecondIsReplaced(_ facts: MediaFacts) throws {
        let readers = FailingReaders(facts) { _ in Self.rate }
        let reader = try MediaReader(readers.source, rate: Self.rate, stop: ReadingStop())
        let (frames, error) = Self.read(reader, upTo: 100 * Self.rate)
        #expect(frames == 100 * Self.rate && error == nil)
        #expect(readers.count == 100)
    }

    /// The samples that the failed reader had taken are lost, and the stream has no position to continue at.
    @Test func aStreamOfTheHostEndsWithItsReader() throws {
        let wave = try WaveFile(frames: 300_000)
        let sockets = Mutex<[ReaderSocket]>([])
        let source = MediaReaderSource { socket in
            let socket = ReaderSocket(received: socket)
            let isFirst = sockets.withLock { sockets in
                sockets.append(socket)
                return sockets.count == 1
            }
            // Nothing was read then: a second one may try.
            guard !isFirst else { return _ = shutdown(socket.number, Int32(SHUT_RDWR)) }
            serveLocally(ReaderRequest(address: wave.path, isReadOnce: true), on: socket)
        }
        let reader = try MediaReader(source, rate: Self.rate, stop: ReadingStop())
        #expect(reader.facts.isReadOnce == true)
        #expect(Self.read(reader, upTo: 50_000).error == nil)
        sockets.withLock { _ = shutdown($0.last!.number, Int32(SHUT_RDWR)) }
        let (_, error) = Self.read(reader, upTo: .max)
        #expect(error == .unreadable("the program that decodes it failed, and a stream can't be read again"))
        #expect(sockets.withLock { $0.count } == 2)
    }

    /// Their frames build on the former ones, so that the replacement has to begin before the position.
    @Test(arguments: ["flac", "mp3", "m4a", "ogg", "opus"]) func nothingIsHeardOfItInAnyFormat(_ suffix: String) throws
    {
        let wave = try WaveFile(frames: 220_500, tone: 997)
        let encoded = wave.path + "." + suffix
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        process.arguments = ["-v", "error", "-i", wave.path, encoded]
        try process.run()
        process.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: encoded) }
        let whole = try MediaReader(.local(encoded), rate: Self.rate, stop: ReadingStop())
        var expected: [Int16] = []
        while let more = try whole.read() { expected += more }

        let sockets = Mutex<[ReaderSocket]>([])
        let source = MediaReaderSource { socket in
            let socket = ReaderSocket(received: socket)
            sockets.withLock { $0.append(socket) }
            serveLocally(ReaderRequest(address: encoded), on: socket)
        }
        let reader = try MediaReader(source, rate: Self.rate, stop: ReadingStop())
        var samples: [Int16] = []
        while let more = try reader.read() {
            samples += more
            let due = samples.count / 2 / 40_000 + 1
            sockets.withLock { if $0.count < due, let last = $0.last { shutdown(last.number, Int32(SHUT_RDWR)) } }
        }
        let count = sockets.withLock { $0.count }
        #expect(count > 4)
        try #require(samples.count == expected.count)
        let differences = zip(samples, expected).map { abs(Int($0) - Int($1)) }
        let most = differences.max() ?? 0
        // Opus is resampled from 48,000 Hz, where the tone may be shifted by half a sample.
        let limit = ["flac": 0, "opus": 720][suffix] ?? 300
        #expect(most <= limit, "\(most) at \(differences.firstIndex(of: most)! / 2)")
    }
}
