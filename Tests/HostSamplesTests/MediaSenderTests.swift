import DBus
import Foundation
import Glibc
import HostCore
import HostInterface
import MediaDecodingSupport
import MediaReading
import SoundFeed
import Synchronization
import Testing

@testable import HostSamples

/// Deliveries of media with the real decoder behind a real socket.
@Suite(.timeLimit(.minutes(1)))
struct MediaSenderTests {
    /// A delivery and its reports.
    private final class Playing: Sendable {
        let delivery: any MediaDelivery
        let facts: MediaFacts
        let events: AsyncStream<MediaDeliveryEvent>

        init(_ source: MediaReaderSource, startPosition: Double? = nil) async throws {
            delivery = try SocketDeliveries().begin(DeliveredMedia(source, startPosition: startPosition))
            events = delivery.events
            for await event in events {
                switch event {
                case .opened(let facts, _):
                    self.facts = facts
                    return
                case .over(let result): try result.get()
                case .position: break
                }
            }
            throw CancellationError()
        }

        func outcome() async throws -> Result<Void, HostError> {
            for await event in events { if case .over(let result) = event { return result } }
            throw CancellationError()
        }

        func position(where fits: (MediaPosition) -> Bool) async throws -> MediaPosition {
            for await event in events { if case .position(let position) = event, fits(position) { return position } }
            throw CancellationError()
        }
    }

    /// An extension that takes samples.
    private final class Receiver: Sendable {
        private let samples: DeliveredSamples
        private let taken = Mutex<(samples: [Int16], times: [UInt64])>(([], []))

        init(_ delivery: any MediaDelivery) throws { samples = try delivery.connect() }

        var received: [Int16] { taken.withLock(\.samples) }
        var times: [UInt64] { taken.withLock(\.times) }

        /// Takes packets on a thread until there are so many samples, or to the end.
        func take(_ count: Int = .max) async {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    while self.received.count < count, self.takePacket() {}
                    continuation.resume()
                }
            }
        }

        private func takePacket() -> Bool {
            var bytes = [UInt8](repeating: 0, count: SamplePacket.maximumLength)
            let length = recv(samples.socket.number, &bytes, bytes.count, 0)
            guard length > 0, let header = bytes[..<length].withUnsafeBytes({ SamplePacket($0) }) else {
                shutdown(samples.socket.number, Int32(SHUT_RDWR))
                return false
            }
            let frames = bytes[SamplePacket.headerLength..<length].withUnsafeBytes {
                Array($0.bindMemory(to: Int16.self))
            }
            taken.withLock { taken in
                #expect(header.frame == taken.samples.count / 2, "no frame is left out")
                taken.samples += frames
                taken.times.append(header.time)
            }
            return true
        }
    }

    @Test func everySampleArrivesAtItsTimeAndTheEndIsTold() async throws {
        let wave = try WaveFile(frames: 60_001)
        let playing = try await Playing(.local(wave.path))
        #expect(playing.facts.isSeekable)
        let receiver = try Receiver(playing.delivery)
        let begin = SamplePace.now
        await receiver.take()
        #expect(receiver.received == wave.samples)
        // 1.36 s of sound, of which half a second may come early; the end comes with the last frame.
        #expect(SamplePace.now - begin >= 1_300_000_000)
        #expect(receiver.times == receiver.times.sorted())
        try await playing.outcome().get()
    }

    @Test func aPauseLosesNothing() async throws {
        let wave = try WaveFile(frames: 60_000)
        let playing = try await Playing(.local(wave.path))
        let receiver = try Receiver(playing.delivery)
        await receiver.take(20_000)
        playing.delivery.setPlaying(false)
        let paused = try await playing.position { !$0.isPlaying }
        playing.delivery.setPlaying(true)
        let resumed = try await playing.position(where: \.isPlaying)
        #expect(resumed.seconds >= paused.seconds && resumed.time >= paused.time)
        await receiver.take()
        #expect(receiver.received == wave.samples)
    }

    @Test func whilePausedNothingIsDelivered() async throws {
        let wave = try WaveFile(frames: 60_000)
        let playing = try await Playing(.local(wave.path))
        playing.delivery.setPlaying(false)
        let receiver = try Receiver(playing.delivery)
        // Longer than the delivery needs for the first block.
        let begin = SamplePace.now
        async let first: Void = receiver.take(1)
        while SamplePace.now < begin + 700_000_000 { await Task.yield() }
        #expect(receiver.received.isEmpty)
        playing.delivery.setPlaying(true)
        await first
        await receiver.take()
        #expect(receiver.received == wave.samples)
    }

    @Test func aSeekIsExactAndFollowsWhatWasDelivered() async throws {
        let wave = try WaveFile(frames: 441_000)
        let playing = try await Playing(.local(wave.path))
        let receiver = try Receiver(playing.delivery)
        await receiver.take(20_000)
        playing.delivery.seek(toSeconds: 9)
        let there = try await playing.position { $0.seconds == 9 }
        #expect(there.isPlaying)
        await receiver.take()
        let rest = Array(wave.samples[(9 * 88_200)...])
        let before = receiver.received.count - rest.count
        // Half a second early, and a block on its way.
        try #require((20_000...(20_000 + 60_000)).contains(before), "\(before)")
        #expect(receiver.received == wave.samples[..<before] + rest)
        try await playing.outcome().get()
    }

    /// The delivered frames are heard for half a second after the medium was read.
    @Test func aSeekAtTheEndGoesBack() async throws {
        let wave = try WaveFile(frames: 22_050)
        let playing = try await Playing(.local(wave.path))
        let receiver = try Receiver(playing.delivery)
        await receiver.take(44_100)
        playing.delivery.seek(toSeconds: 0.25)
        await receiver.take()
        #expect(receiver.received == wave.samples + wave.samples[22_050...])
        try await playing.outcome().get()
    }

    @Test func itStartsWhereItIsAskedTo() async throws {
        let wave = try WaveFile(frames: 441_000)
        let playing = try await Playing(.local(wave.path), startPosition: 9.5)
        let receiver = try Receiver(playing.delivery)
        await receiver.take()
        #expect(receiver.received == Array(wave.samples[Int(9.5 * 88_200)...]))
    }

    @Test func aBrokenReaderIsReplacedAndNothingIsLost() async throws {
        let wave = try WaveFile(frames: 88_200)
        let sockets = Mutex<[ReaderSocket]>([])
        let source = MediaReaderSource { socket in
            let socket = ReaderSocket(received: socket)
            sockets.withLock { $0.append(socket) }
            serveLocally(ReaderRequest(address: wave.path), on: socket)
        }
        let playing = try await Playing(source)
        let receiver = try Receiver(playing.delivery)
        for count in [10_000, 80_000, 150_000] {
            await receiver.take(count)
            sockets.withLock { _ = shutdown($0.last!.number, Int32(SHUT_RDWR)) }
        }
        await receiver.take()
        #expect(receiver.received == wave.samples)
        #expect(sockets.withLock { $0.count } >= 3)
    }

    @Test func theNextProcessGoesOn() async throws {
        let wave = try WaveFile(frames: 60_000)
        let playing = try await Playing(.local(wave.path))
        var first: DeliveredSamples? = try playing.delivery.connect()
        #expect(first != nil)
        first = nil
        let second = try playing.delivery.connect()
        var bytes = [UInt8](repeating: 0, count: SamplePacket.maximumLength)
        #expect(recv(second.socket.number, &bytes, bytes.count, 0) > SamplePacket.headerLength)
        playing.delivery.end()
    }

    @Test func mediaThatCannotBeReadIsAnError() async throws {
        let missing = await #expect(throws: HostError.self) { try await Playing(.local("/nonexistent.flac")) }
        #expect(missing?.code == .unreachableURL && missing?.message.hasPrefix("The media cannot be read: ") == true)
        let text = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp3")
        try Data("no music".utf8).write(to: text)
        defer { try? FileManager.default.removeItem(at: text) }
        let wrong = await #expect(throws: HostError.self) { try await Playing(.local(text.path)) }
        #expect(wrong?.message.hasPrefix("The media cannot be ") == true)
    }

    /// A server that doesn't answer.
    @Test func anEndWhileItOpensIsSilent() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: ReaderSocket.self)
        let source = MediaReaderSource { continuation.yield(ReaderSocket(received: $0)) }
        let delivery = try SocketDeliveries().begin(DeliveredMedia(source))
        var ends = asked.makeAsyncIterator()
        let end = await ends.next()
        delivery.end()
        for await event in delivery.events { Issue.record("\(event)") }
        #expect(end != nil)
    }

    @Test func anExtensionThatTakesNothingIsToldOf() async throws {
        let wave = try WaveFile(frames: 441_000)
        let sender = try MediaSender(DeliveredMedia(.local(wave.path)), patience: 50_000_000)
        let samples = try sender.connect()
        Thread.detachNewThread { sender.run() }
        var outcome: Result<Void, HostError>?
        for await event in sender.events { if case .over(let result) = event { outcome = result } }
        let error = #expect(throws: HostError.self) { try outcome?.get() }
        #expect(error?.code == .timedOut)
        _ = samples
    }
}
