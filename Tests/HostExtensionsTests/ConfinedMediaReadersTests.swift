import DBus
import Foundation
import Glibc
import HostConfinement
import HostCore
import HostFiles
import HostInterface
import HostSamples
import Logging
import MediaDecodingSupport
import MediaReading
import PacketSockets
import Synchronization
import Testing

@testable import HostExtensions

/// Media by the confined program, from the daemon's own server of files.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct ConfinedMediaReadersTests {
    private let readers = ConfinedMediaReadersTests.readers()
    private let server = HummingbirdFileServer(logger: Logger(label: "files") { _ in SwiftLogNoOpLogHandler() })

    private static func readers(program: String = ConfinedMediaReaders.program) -> ConfinedMediaReaders {
        ConfinedMediaReaders(
            launcher: ConfinementLauncher.find(executable: FaultyBundle.buildFolder + "/mdhost"),
            path: ConfinementLauncher.find(program, executable: FaultyBundle.buildFolder + "/mdhost"),
            environment: ProcessInfo.processInfo.environment,
            logger: Logger(label: "readers") { _ in SwiftLogNoOpLogHandler() })
    }

    private func source(_ address: String, _ readers: ConfinedMediaReaders? = nil) -> MediaReaderSource {
        let readers = readers ?? self.readers
        // As a queue of messages may do.
        let kept = Mutex<[ReaderSocket]>([])
        return MediaReaderSource { socket in
            let socket = ReaderSocket(received: socket)
            kept.withLock { $0.append(socket) }
            Task { await readers.start(ReaderRequest(address: address), on: socket, for: "org.example.test") }
        }
    }

    /// Reads on a thread that may wait.
    private func reading<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    private func served(_ wave: WaveFile) async throws -> String {
        try await server.serve(URL(filePath: wave.path), to: ["127.0.0.1"]).url.absoluteString
    }

    /// The processes that read for this one.
    private static var processes: [pid_t] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return numbers.compactMap { pid_t($0) }.filter { number in
            let stat = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
            let words = stat.split(separator: " ")
            return words.count > 3 && words[1] == "(mdhost-reader)" && words[3] == "\(getpid())"
        }
    }

    @Test func everySampleArrivesAndSeeksAreExact() async throws {
        let wave = try WaveFile(frames: 400_000)
        let source = source(try await served(wave))
        let (samples, rest) = try await reading {
            let reader = try MediaReader(source, rate: 44_100, stop: ReadingStop())
            var samples: [Int16] = []
            while let more = try reader.read() { samples += more }
            try reader.seek(toFrame: 333_333)
            var rest: [Int16] = []
            while let more = try reader.read() { rest += more }
            return (samples, rest)
        }
        #expect(samples == wave.samples)
        #expect(rest == Array(wave.samples[666_666...]))
    }

    @Test func killedAHundredTimesNothingIsLost() async throws {
        let wave = try WaveFile(frames: 44_100 * 210)
        let source = source(try await served(wave))
        let (samples, kills) = try await reading {
            let reader = try MediaReader(source, rate: 44_100, stop: ReadingStop())
            var samples: [Int16] = []
            samples.reserveCapacity(wave.samples.count)
            var (kills, next) = (0, 50_000)
            while let more = try reader.read() {
                samples += more
                guard kills < 100, samples.count / 2 >= next else { continue }
                for process in Self.processes { kill(process, SIGKILL) }
                kills += 1
                next += Int.random(in: 70_000...90_000)
            }
            return (samples, kills)
        }
        #expect(kills == 100)
        #expect(samples == wave.samples)
    }

    /// The daemon's own use, for extensions that take samples only.
    @Test func aDeliveryLosesNothingWhenItsReaderIsKilled() async throws {
        let wave = try WaveFile(frames: 132_300)
        let delivery = try SocketDeliveries().begin(DeliveredMedia(source(try await served(wave))))
        let samples = try delivery.connect()
        let (received, kills) = try await reading {
            var bytes = [UInt8](repeating: 0, count: SamplePacket.maximumLength)
            var received: [Int16] = []
            var kills = 0
            while case let count = recv(samples.socket.number, &bytes, bytes.count, 0), count > 0 {
                received += bytes[SamplePacket.headerLength..<count].withUnsafeBytes {
                    Array($0.bindMemory(to: Int16.self))
                }
                guard received.count / 2 > (kills + 1) * 30_000 else { continue }
                for process in Self.processes { kill(process, SIGKILL) }
                kills += 1
            }
            shutdown(samples.socket.number, Int32(SHUT_RDWR))
            return (received, kills)
        }
        #expect(kills == 4)
        #expect(received == wave.samples)
        for await event in delivery.events { if case .over(let result) = event { try result.get() } }
        while !Self.processes.isEmpty { await Task.yield() }
    }

    @Test func theProcessEndsWithItsExtension() async throws {
        let wave = try WaveFile(frames: 400_000)
        let source = source(try await served(wave))
        let process = try await reading {
            let reader = try MediaReader(source, rate: 44_100, stop: ReadingStop())
            _ = try reader.read()
            let process = Self.processes
            _ = try reader.read()
            return process
        }
        #expect(process.count == 1)
        while !Self.processes.isEmpty { await Task.yield() }
    }

    @Test(arguments: ["file:///etc/passwd", "/etc/passwd", "concat:/etc/passwd", "rtsp://127.0.0.1/a"])
    func othersThanServersAreNotRead(_ address: String) async throws {
        let source = source(address)
        let error = await #expect(throws: DecodingError.self) {
            try await reading { _ = try MediaReader(source, rate: 44_100, stop: ReadingStop()) }
        }
        #expect(error == .unreadable("it isn't at an http or https address"))
    }

    @Test func withoutTheProgramTheReasonIsTold() async throws {
        let source = source("http://127.0.0.1:9/a.wav", Self.readers(program: "mdhost-none"))
        let error = await #expect(throws: DecodingError.self) {
            try await reading { _ = try MediaReader(source, rate: 44_100, stop: ReadingStop()) }
        }
        #expect(error == .unreadable("mdhost-reader, which decodes media, isn't installed beside mdhost"))
    }

    @Test func anExtensionHasSixteenAtATime() async throws {
        let request = ReaderRequest(address: "http://127.0.0.1:9/a.wav")
        var mine: [ReaderSocket] = []
        for _ in 0..<16 {
            let (one, other) = try #require(PacketSocket.pair())
            mine.append(ReaderSocket(received: one))
            await readers.start(request, on: ReaderSocket(received: other), for: "org.example.test")
        }
        while Self.processes.count < 16 { await Task.yield() }
        let (one, other) = try #require(PacketSocket.pair())
        await readers.start(request, on: ReaderSocket(received: other), for: "org.example.test")
        var buffer = [UInt8](repeating: 0, count: ReaderPacket.longest)
        let refusal = PacketSocket.receive(on: one, into: &buffer).flatMap { ReaderPacket($0) }
        close(one)
        #expect(refusal == .failure(.unreadable("too much media is read at the same time"), generation: 0))
        mine = []
        while !Self.processes.isEmpty { await Task.yield() }
    }
}
