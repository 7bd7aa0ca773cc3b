import CastStreaming
import Foundation
import NIOCore
import NIOPosix

/// The streams that a simulated device receives on one socket: plays each frame when it is due.
actor ReceiverStream {
    private nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private let show: @Sendable (ReceiverEvent) -> Void
    private let ended: @Sendable () async -> Void
    /// The part of the packets, in both directions, that gets lost.
    private let loss: Double
    private var sound: (machine: StreamReceiver, output: ReceivedSound)?
    private var pictures: (machine: StreamReceiver, output: ReceivedPictures)?
    private var channel: (any Channel)?
    private var peer: SocketAddress?
    private var wake: Scheduled<Void>?
    private var chance: UInt64 = 1
    private var dropped = 0

    /// - Parameters:
    ///   - receivers: The numbers of the streams that are received, by their position in the offer.
    ///   - ended: A function that is called when the sender is silent for too long.
    init(
        _ offer: StreamOffer, receivers: [Int: UInt32], settings: ReceiverSettings,
        show: @escaping @Sendable (ReceiverEvent) -> Void, ended: @escaping @Sendable () async -> Void
    ) throws {
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        loss = settings.loss
        self.show = show
        self.ended = ended
        func machine(_ format: StreamFormat, _ stream: StreamOffer.Stream) -> StreamReceiver? {
            receivers[stream.index].map { receiver in
                StreamReceiver(
                    format, source: stream.source, receiver: receiver, cipher: stream.cipher, delay: offer.delay,
                    now: Self.now)
            }
        }
        if let machine = offer.sound.flatMap({ machine(.sound, $0) }) {
            sound = (machine, try ReceivedSound(recordingTo: settings.recording))
        }
        if let format = offer.pictureFormat, let machine = offer.pictures.flatMap({ machine(.pictures, $0) }) {
            pictures = (machine, try ReceivedPictures(format, recordingTo: settings.pictureRecording))
        }
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
        sound?.output.close()
        pictures?.output.close()
        if let output = pictures?.output { show(.shown(output.shown, lost: output.lost)) }
        if let output = sound?.output { show(.streamed(played: output.played, lost: output.lost, dropped: dropped)) }
    }

    fileprivate func received(_ datagram: [UInt8], from address: SocketAddress) {
        guard channel != nil, !isLost else { return }
        peer = address
        perform { $0.received(datagram, at: Self.now) }
    }

    private func tick() {
        guard channel != nil else { return }
        guard ![sound?.machine, pictures?.machine].allSatisfy({ $0?.isAbandoned(at: Self.now) ?? true }) else {
            close()
            Task { await ended() }
            return
        }
        perform { $0.tick(at: Self.now) }
    }

    private func perform(_ step: (inout StreamReceiver) -> [StreamReceiver.Output]) {
        if var machine = sound?.machine {
            let outputs = step(&machine)
            sound?.machine = machine
            for output in outputs { performSound(output) }
        }
        if var machine = pictures?.machine {
            let outputs = step(&machine)
            pictures?.machine = machine
            for output in outputs { performPictures(output) }
        }
        schedule()
    }

    private func performSound(_ output: StreamReceiver.Output) {
        switch output {
        case .send(let bytes): send(bytes)
        case .play(_, let packet, _, let due, _):
            if sound?.output.played == 0 { show(.streaming(due: due)) }
            sound?.output.play(packet)
        case .lost: sound?.output.lose()
        }
    }

    private func performPictures(_ output: StreamReceiver.Output) {
        switch output {
        case .send(let bytes): send(bytes)
        case .play(_, let picture, _, let due, let timestamp):
            if pictures?.output.shown == 0 { show(.showing(due: due)) }
            pictures?.output.show(picture, timestamp: timestamp)
        case .lost: pictures?.output.lose()
        }
    }

    private func send(_ bytes: [UInt8]) {
        guard let channel, let peer, !isLost else { return }
        let buffer = channel.allocator.buffer(bytes: bytes)
        channel.writeAndFlush(AddressedEnvelope(remoteAddress: peer, data: buffer), promise: nil)
    }

    private func schedule() {
        wake?.cancel()
        let next = [sound?.machine, pictures?.machine].compactMap { $0?.nextWake }.min() ?? .infinity
        let pause = max(0.001, min(0.5, next - Self.now))
        wake = eventLoop.scheduleTask(in: .nanoseconds(Int64(pause * 1e9))) { [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    /// The same packets each time, so that a test can be repeated.
    private var isLost: Bool {
        guard loss > 0 else { return false }
        chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let isLost = Double(chance >> 33) / Double(1 << 31) < loss
        if isLost { dropped += 1 }
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
