import DBus
import Foundation
import Glibc
import HostCore
import HostInterface
import SoundFeed
import Synchronization
import Testing

@testable import HostSamples

/// Deliveries over real pipes and sockets.
@Suite(.timeLimit(.minutes(1)))
struct SampleSenderTests {
    private static let format = try! SampleFormat(encoding: "s16le")

    /// A pipe whose reading end is delivered.
    private struct Source {
        let delivery: any SampleDelivery
        let writing: FileHandle
        /// The end, once.
        let over: AsyncStream<Result<Void, HostError>>

        init(_ format: SampleFormat = SampleSenderTests.format, isLive: Bool = false) throws {
            let pipe = Pipe()
            let (over, continuation) = AsyncStream.makeStream(of: Result<Void, HostError>.self)
            let stream = try OpenStream(
                duplicating: pipe.fileHandleForReading.fileDescriptor, samples: format, isLive: isLive)
            delivery = try SocketDeliveries().begin(stream, format: format) { continuation.yield($0) }
            writing = pipe.fileHandleForWriting
            self.over = over
        }

        func outcome() async throws -> Result<Void, HostError> {
            for await outcome in over { return outcome }
            throw CancellationError()
        }
    }

    /// Waits for a packet.
    ///
    /// - Returns: `nil` at the end.
    private static func packet(_ samples: DeliveredSamples) -> (header: SamplePacket, frames: [UInt8])? {
        var bytes = [UInt8](repeating: 0, count: SamplePacket.maximumLength)
        let count = recv(samples.socket.number, &bytes, bytes.count, 0)
        guard count > 0, let header = bytes[..<count].withUnsafeBytes({ SamplePacket($0) }) else { return nil }
        return (header, Array(bytes[SamplePacket.headerLength..<count]))
    }

    @Test func everyFrameArrivesOnceAndWhole() async throws {
        let source = try Source()
        let samples = try source.delivery.connect()
        #expect(try samples.format == Self.format)
        let sent = (0..<40_002).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let writer = Task.detached {
            // Frames of four bytes, cut at odd places.
            var rest = sent[...]
            while !rest.isEmpty {
                try source.writing.write(contentsOf: rest.prefix(4_999))
                rest = rest.dropFirst(4_999)
            }
            try source.writing.close()
        }
        var received: [UInt8] = []
        while let (header, frames) = Self.packet(samples) {
            #expect(header.frame == received.count / 4)
            #expect(frames.count.isMultiple(of: 4))
            received += frames
        }
        // The last two bytes are half a frame.
        #expect(received == Array(sent.dropLast(2)))
        try await writer.value
        shutdown(samples.socket.number, Int32(SHUT_RDWR))
        try await source.outcome().get()
    }

    @Test func nothingIsReadBeforeAnybodyIsThere() throws {
        let source = try Source()
        _ = fcntl(source.writing.fileDescriptor, F_SETFL, O_NONBLOCK)
        let block = [UInt8](repeating: 1, count: 4_096)
        var written = 0
        while write(source.writing.fileDescriptor, block, block.count) > 0 { written += block.count }
        // F_GETPIPE_SZ: what a pipe holds, to the byte.
        #expect(written == Int(fcntl(source.writing.fileDescriptor, 1032)))
        source.delivery.end()
    }

    @Test func whatALiveProgramWroteBeforeIsLeftOut() async throws {
        let source = try Source(isLive: true)
        // Half a frame belongs to the next one.
        try source.writing.write(contentsOf: [UInt8](repeating: 1, count: 40_002))
        let first = try source.delivery.connect()
        // It begins to read at some time after the connection.
        _ = fcntl(source.writing.fileDescriptor, F_SETFL, O_NONBLOCK)
        let block = [UInt8](repeating: 2, count: 402)
        var arrived = pollfd(fd: first.socket.number, events: Int16(POLLIN), revents: 0)
        while poll(&arrived, 1, 0) == 0 {
            _ = write(source.writing.fileDescriptor, block, block.count)
            await Task.yield()
        }
        let (header, frames) = try #require(Self.packet(first))
        #expect(header.frame == 0 && frames.suffix(4) == [2, 2, 2, 2] && frames.count(where: { $0 == 1 }) <= 2)
        source.delivery.end()
    }

    @Test func theNextProcessGoesOn() async throws {
        let source = try Source()
        var first: DeliveredSamples? = try source.delivery.connect()
        try source.writing.write(contentsOf: [UInt8](repeating: 1, count: 400))
        #expect(Self.packet(first!)?.header.frame == 0)
        // The process dies: its end is closed.
        first = nil
        try source.writing.write(contentsOf: [UInt8](repeating: 2, count: 400))
        let second = try source.delivery.connect()
        let next = try #require(Self.packet(second))
        #expect(next.header.frame == 100 && next.frames.first == 2)
        source.delivery.end()
        #expect(Self.packet(second) == nil)
    }

    @Test func afterTheEndTheWriterLearnsOfItAndTheReaderGetsNothing() throws {
        let source = try Source()
        let samples = try source.delivery.connect()
        source.delivery.end()
        #expect(Self.packet(samples) == nil)
        // A process that connects too late gets an end as well.
        #expect(Self.packet(try source.delivery.connect()) == nil)
    }

    @Test func whoTakesNothingIsToldOf() async throws {
        let (over, continuation) = AsyncStream.makeStream(of: Result<Void, HostError>.self)
        let stream = OpenStream(descriptor: open("/dev/zero", O_RDONLY), samples: Self.format)
        let sender = try SampleSender(stream, Self.format, patience: 50_000_000)
        let samples = try sender.connect()
        Thread.detachNewThread { sender.run { continuation.yield($0) } }
        for await outcome in over {
            #expect(throws: HostError.self) { try outcome.get() }
            break
        }
        _ = samples
    }

    @Test func whoClosedItsEndIsToldOf() async throws {
        let (over, continuation) = AsyncStream.makeStream(of: Result<Void, HostError>.self)
        let stream = OpenStream(descriptor: open("/dev/zero", O_RDONLY), samples: Self.format)
        let sender = try SampleSender(stream, Self.format, absence: 50_000_000)
        var samples: DeliveredSamples? = try sender.connect()
        #expect(samples != nil)
        samples = nil
        Thread.detachNewThread { sender.run { continuation.yield($0) } }
        for await outcome in over {
            #expect(throws: HostError.self) { try outcome.get() }
            break
        }
    }

    /// Playback is paused: the program that plays waits as long as a person does.
    @Test func whileItIsHeldNothingIsLate() async throws {
        let (over, continuation) = AsyncStream.makeStream(of: Result<Void, HostError>.self)
        let stream = OpenStream(descriptor: open("/dev/zero", O_RDONLY), samples: Self.format)
        let sender = try SampleSender(stream, Self.format, patience: 50_000_000)
        sender.hold(true)
        let samples = try sender.connect()
        let isRunning = Mutex(true)
        Thread.detachNewThread {
            sender.run { continuation.yield($0) }
            isRunning.withLock { $0 = false }
        }
        // The socket fills within a second.
        let begin = SamplePace.now
        while SamplePace.now < begin + 1_500_000_000 { await Task.yield() }
        #expect(isRunning.withLock { $0 })
        sender.hold(false)
        for await outcome in over {
            #expect(throws: HostError.self) { try outcome.get() }
            break
        }
        _ = samples
    }

    /// A source that is faster than sound, such as a file.
    @Test func aFileIsNotDeliveredAllAtOnce() throws {
        let stream = OpenStream(descriptor: open("/dev/zero", O_RDONLY), samples: Self.format)
        let delivery = try SocketDeliveries().begin(stream, format: Self.format) { _ in }
        let samples = try delivery.connect()
        let begin = SamplePace.now
        var last: SamplePacket?
        // One second of sound, of which half a second may come at once.
        while (last?.frame ?? 0) < 44_100 { last = Self.packet(samples)?.header ?? last }
        #expect(SamplePace.now - begin >= 400_000_000)
        delivery.end()
    }
}
