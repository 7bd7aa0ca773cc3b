import CastStreaming
import Foundation
import NIOCore
import NIOPosix
import Opus

/// The sound that a simulated device receives: decodes each frame when it is due.
actor ReceiverStream {
    private nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private let decoder: OpusDecoder
    private let recording: FileHandle?
    private let show: @Sendable (ReceiverEvent) -> Void
    private let ended: @Sendable () async -> Void
    /// The part of the packets, in both directions, that gets lost.
    private let loss: Double
    private var machine: AudioStreamReceiver
    private var channel: (any Channel)?
    private var peer: SocketAddress?
    private var wake: Scheduled<Void>?
    private var chance: UInt64 = 1
    private var counts = (played: 0, lost: 0, dropped: 0)

    /// - Parameters:
    ///   - record: The file for the decoded samples, 16 bit, left and right in turn.
    ///   - ended: A function that is called when the sender is silent for too long.
    init(
        _ offer: StreamOffer, receiver: UInt32, record: String?, loss: Double,
        show: @escaping @Sendable (ReceiverEvent) -> Void, ended: @escaping @Sendable () async -> Void
    ) throws {
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        decoder = try OpusDecoder()
        recording = try record.map { path in
            try Data().write(to: URL(filePath: path))
            return try FileHandle(forWritingTo: URL(filePath: path))
        }
        self.loss = loss
        self.show = show
        self.ended = ended
        machine = AudioStreamReceiver(
            source: offer.source, receiver: receiver, cipher: offer.cipher, delay: offer.delay, now: Self.now)
    }

    /// Opens a UDP socket.
    ///
    /// - Returns: Its port.
    func open(address: String) async throws -> UInt16 {
        let channel = try await DatagramBootstrap(group: eventLoop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(ReceiverStreamHandler(self))
            }
        }.bind(host: address, port: 0).get()
        self.channel = channel
        schedule()
        return UInt16(channel.localAddress?.port ?? 0)
    }

    func close() {
        guard let channel else { return }
        self.channel = nil
        wake?.cancel()
        channel.close(promise: nil)
        try? recording?.close()
        show(.streamed(played: counts.played, lost: counts.lost, dropped: counts.dropped))
    }

    fileprivate func received(_ datagram: [UInt8], from address: SocketAddress) {
        guard channel != nil, !isLost else { return }
        peer = address
        perform(machine.received(datagram, at: Self.now))
    }

    private func tick() {
        guard channel != nil else { return }
        guard !machine.isAbandoned(at: Self.now) else {
            close()
            Task { await ended() }
            return
        }
        perform(machine.tick(at: Self.now))
    }

    private func perform(_ outputs: [AudioStreamReceiver.Output]) {
        for output in outputs {
            switch output {
            case .send(let bytes):
                guard let channel, let peer, !isLost else { continue }
                let buffer = channel.allocator.buffer(bytes: bytes)
                channel.writeAndFlush(AddressedEnvelope(remoteAddress: peer, data: buffer), promise: nil)
            case .play(_, let packet, let due, _):
                if counts.played == 0 { show(.streaming(due: due)) }
                counts.played += 1
                write(try? decoder.decode(packet))
            case .lost:
                counts.lost += 1
                write(try? decoder.conceal(frames: AudioFormat.length))
            }
        }
        schedule()
    }

    private func write(_ samples: [Int16]?) {
        guard let samples, let recording else { return }
        try? recording.write(contentsOf: samples.withUnsafeBytes { Data($0) })
    }

    private func schedule() {
        wake?.cancel()
        let pause = max(0.001, min(0.5, machine.nextWake - Self.now))
        wake = eventLoop.scheduleTask(in: .nanoseconds(Int64(pause * 1e9))) { [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    /// The same packets each time, so that a test can be repeated.
    private var isLost: Bool {
        guard loss > 0 else { return false }
        chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let isLost = Double(chance >> 33) / Double(1 << 31) < loss
        if isLost { counts.dropped += 1 }
        return isLost
    }

    private static var now: Double { ReceiverServer.now }
}

private final class ReceiverStreamHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let stream: ReceiverStream

    init(_ stream: ReceiverStream) { self.stream = stream }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        stream.assumeIsolated {
            $0.received(Array(envelope.data.readableBytesView), from: envelope.remoteAddress)
        }
    }
}
