import DBus
import Foundation
import Glibc
import HostInterface
import Synchronization
import Testing

@testable import CoreBluetooth

/// L2CAP channels with a host that a test writes, over a pair of sockets of which the test has the other end.
@Suite(.timeLimit(.minutes(1)))
struct ChannelTests {
    private static let lamp = "6D64686F-7374-8062-8074-F0F1F2F3F4F1"

    /// An open channel, and the peripheral's end of it.
    private struct Opened {
        let host: ScriptedHost
        let channel: CBL2CAPChannel
        let request: CentralRequest
        let peer: DBusDescriptor
        let central: CBCentralManager
    }

    private func connected() async throws -> (ScriptedHost, ChannelWitness, CBCentralManager, CBPeripheral) {
        let (host, witness) = (ScriptedHost(), Witness())
        let central = witness.begin(host)
        host.tell { $0.state = .poweredOn }
        #expect(await witness.next() == "state 5")
        central.scanForPeripherals(withServices: nil)
        host.hear(Self.lamp, BluetoothAdvertisement(name: "Lamp", signal: -40))
        #expect(await witness.next() == "discovered Lamp -40")
        let lamp = try #require(witness.peripheral)
        central.connect(lamp)
        host.connect(Self.lamp, [])
        #expect(await witness.next() == "connected")
        let opened = ChannelWitness(witness)
        lamp.delegate = opened
        return (host, opened, central, lamp)
    }

    private func opened(packet: Int = 100) async throws -> Opened {
        let (host, witness, central, lamp) = try await connected()
        lamp.openL2CAPChannel(0x81)
        let request = await host.request(.openChannel)
        #expect(request.psm == 0x81 && request.device == Self.lamp && request.number > 0)
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let own = ends[0]
        host.answer(request) {
            $0.channel = DBusDescriptor(received: own)
            $0.longestPacket = packet
        }
        let channel = try #require(await witness.channel())
        #expect(channel.psm == 0x81 && channel.peer === lamp)
        return Opened(
            host: host, channel: channel, request: request, peer: DBusDescriptor(received: ends[1]), central: central)
    }

    /// Reads once.
    private func bytes(_ input: InputStream, _ length: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: length)
        let count = input.read(&buffer, maxLength: length)
        return Array(buffer.prefix(max(0, count)))
    }

    @Test func aRefusedChannelIsAnError() async throws {
        let (host, witness, central, lamp) = try await connected()
        lamp.openL2CAPChannel(0x81)
        let request = await host.request(.openChannel)
        host.answer(request) { $0.failure = BluetoothFailure(.refused, "No.") }
        #expect(await witness.failure() as? CBError == CBError(.connectionFailed, "No."))
        lamp.openL2CAPChannel(0x81)
        host.answer(await host.request(.openChannel)) { $0.failure = BluetoothFailure(.tooMany, "Too many.") }
        #expect((await witness.failure() as? CBError)?.code == .connectionLimitReached)
        lamp.openL2CAPChannel(0x100)
        #expect((await witness.failure() as? CBError)?.code == .invalidParameters)
        central.cancelPeripheralConnection(lamp)
        lamp.openL2CAPChannel(0x81)
        #expect((await witness.failure() as? CBError)?.code == .notConnected)
    }

    @Test func streamsWithoutAScheduleReadAndWrite() async throws {
        let opened = try await opened()
        let (input, output) = (opened.channel.inputStream!, opened.channel.outputStream!)
        #expect(input.streamStatus == .notOpen && !input.hasBytesAvailable && !output.hasSpaceAvailable)
        input.open()
        output.open()
        #expect(input.streamStatus == .open && !input.hasBytesAvailable && output.hasSpaceAvailable)
        #expect(output.write([UInt8](repeating: 7, count: 250), maxLength: 250) == 100, "a packet at most")
        var buffer = [UInt8](repeating: 0, count: 250)
        #expect(Glibc.read(opened.peer.number, &buffer, 250) == 100)
        #expect(Glibc.write(opened.peer.number, [1, 2, 3] as [UInt8], 3) == 3)
        #expect(input.hasBytesAvailable)
        #expect(bytes(input, 2) == [1, 2])
        #expect(bytes(input, 250) == [3])
        #expect(!input.hasBytesAvailable)
        shutdown(opened.peer.number, Int32(SHUT_RDWR))
        #expect(input.hasBytesAvailable)
        #expect(bytes(input, 250).isEmpty && input.streamStatus == .atEnd)
        #expect(output.write([1], maxLength: 1) == -1 && output.streamStatus == .error)
        #expect((output.streamError as? CBError)?.code == .peripheralDisconnected)
    }

    /// The first read waits on its thread until the other end writes.
    @Test func aReadWaits() async throws {
        let opened = try await opened()
        opened.channel.inputStream.open()
        let stream = Transferred(opened.channel.inputStream!)
        async let first = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var byte: UInt8 = 0
                continuation.resume(returning: (stream.value.read(&byte, maxLength: 1), byte))
            }
        }
        #expect(Glibc.write(opened.peer.number, [9] as [UInt8], 1) == 1)
        let result = await first
        #expect(result.0 == 1 && result.1 == 9)
    }

    @Test(arguments: [false, true])
    func aScheduledStreamTellsItsDelegate(onOtherLoop: Bool) async throws {
        let opened = try await opened()
        let other = onOtherLoop ? OtherLoop() : nil
        let events = StreamWitness()
        let input = opened.channel.inputStream!
        input.delegate = events
        input.schedule(in: await other?.start() ?? RunLoop.main, forMode: .default)
        input.open()
        #expect(await events.next() == "input 1")
        #expect(Glibc.write(opened.peer.number, [1, 2, 3, 4] as [UInt8], 4) == 4)
        #expect(await events.next() == "input 2")
        #expect(bytes(input, 3) == [1, 2, 3])
        #expect(await events.next() == "input 2", "one byte is left")
        #expect(bytes(input, 3) == [4])
        shutdown(opened.peer.number, Int32(SHUT_RDWR))
        #expect(await events.next() == "input 16")
        #expect(input.streamStatus == .atEnd && bytes(input, 3).isEmpty)
        other?.stop()
    }

    @Test func thereIsSpaceAgainOnceThePeripheralReads() async throws {
        let opened = try await opened(packet: 1 << 16)
        let events = StreamWitness()
        let output = opened.channel.outputStream!
        output.delegate = events
        output.open()
        output.schedule(in: .main, forMode: .default)
        #expect(await events.next() == "output 1", "also of before it was scheduled")
        #expect(await events.next() == "output 4")
        let bytes = [UInt8](repeating: 0, count: 1 << 16)
        while output.hasSpaceAvailable { #expect(output.write(bytes, maxLength: bytes.count) > 0) }
        var buffer = bytes
        while Glibc.read(opened.peer.number, &buffer, buffer.count) > 0 {}
        #expect(await events.next() == "output 4")
    }

    @Test func theHostIsToldOnceBothStreamsAreClosed() async throws {
        let opened = try await opened()
        opened.channel.inputStream.open()
        opened.channel.outputStream.open()
        opened.channel.inputStream.close()
        #expect(opened.channel.outputStream.write([1], maxLength: 1) == 1)
        opened.channel.outputStream.close()
        let close = await opened.host.request(.closeChannel)
        #expect(close.number == opened.request.number && close.device == Self.lamp)
        var byte: [UInt8] = [0, 0]
        #expect(Glibc.read(opened.peer.number, &byte, 2) == 1 && Glibc.read(opened.peer.number, &byte, 2) == 0)
        #expect(opened.channel.inputStream.read(&byte, maxLength: 1) == -1)
    }

    @Test func aChannelThatNobodyKeepsIsClosed() async throws {
        let (host, _, central, lamp) = try await connected()
        let ignoring = Witness()
        lamp.delegate = ignoring
        lamp.openL2CAPChannel(0x81)
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (own, peer) = (ends[0], DBusDescriptor(received: ends[1]))
        host.answer(await host.request(.openChannel)) { $0.channel = DBusDescriptor(received: own) }
        #expect(await host.request(.closeChannel).device == Self.lamp)
        var byte: UInt8 = 0
        #expect(Glibc.read(peer.number, &byte, 1) == 0)
        withExtendedLifetime(central) {}
    }
}

/// Records the channels that a peripheral opens.
///
/// - Note: `@unchecked Sendable`: only the stream changes.
private final class ChannelWitness: CBPeripheralDelegate, @unchecked Sendable {
    private let other: Witness
    private let results: AsyncStream<(Transferred<CBL2CAPChannel?>, (any Error)?)>
    private let feed: AsyncStream<(Transferred<CBL2CAPChannel?>, (any Error)?)>.Continuation

    /// - Parameter other: The delegate of the manager, kept alive.
    init(_ other: Witness) {
        self.other = other
        (results, feed) = AsyncStream.makeStream()
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        feed.yield((Transferred(channel), error))
    }

    func channel() async -> CBL2CAPChannel? {
        for await (channel, error) in results where error == nil { return channel.value }
        return nil
    }

    func failure() async -> (any Error)? {
        for await (channel, error) in results where channel.value == nil { return error }
        return nil
    }
}

/// Notes the events of streams: 1 opened, 2 bytes, 4 space, 8 error, 16 end.
///
/// - Note: `@unchecked Sendable`: nothing changes.
private final class StreamWitness: NSObject, StreamDelegate, @unchecked Sendable {
    private let events: AsyncStream<String>
    private let feed: AsyncStream<String>.Continuation

    override init() { (events, feed) = AsyncStream.makeStream() }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        feed.yield("\(stream is InputStream ? "input" : "output") \(event.rawValue)")
    }

    func next() async -> String? {
        for await event in events { return event }
        return nil
    }
}

/// A value that is used by one thread at a time.
private struct Transferred<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// A run loop on a thread of its own.
private final class OtherLoop: Sendable {
    private let isOver = Mutex(false)

    func start() async -> RunLoop {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let loop = Transferred(RunLoop.current)
                // A loop without anything to wait for would not run.
                loop.value.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
                continuation.resume(returning: loop)
                while !self.isOver.withLock({ $0 }) {
                    _ = loop.value.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
                }
            }
        }.value
    }

    func stop() { isOver.withLock { $0 = true } }
}
