import CastStreaming
import CoreFoundation
import Foundation
import GoogleCastProtocol
import MediaDecoding
import NIOCore
import NIOPosix
import NIOSSL
import ReferenceReceiver

/// A simulated device on the network.
actor ReceiverServer {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private typealias Accepted = AcceptedConnection<ByteBuffer, ByteBuffer>

    private static let heartbeat = Duration.seconds(5)

    private let settings: ReceiverSettings
    private let show: @Sendable (ReceiverEvent) -> Void
    private var machine: ReceiverMachine
    /// The devices of this group, by their identifiers.
    private var members: [String: ReceiverServer] = [:]
    /// Receives the volume of this device.
    private var levelled: (@Sendable (Double, Bool) async -> Void)?
    private var outputs: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    /// The heartbeats since a client's last message.
    private var silence: [Int: Int] = [:]
    private var lastClient = 0
    private var opening: DecodingStop?
    private var fetch: Task<Void, Never>?
    private var current = 0
    private var wake: Task<Void, Never>?
    private var address = "::"
    private var stream: ReceiverStream?

    init(_ settings: ReceiverSettings, show: @escaping @Sendable (ReceiverEvent) -> Void) {
        self.settings = settings
        self.show = show
        machine = ReceiverMachine(settings)
    }

    /// Accepts senders until the task is cancelled.
    ///
    /// - Parameters:
    ///   - orAny: Takes any other port if this one is in use.
    ///   - listening: A function that is called with the port.
    func run(
        address: String, port: Int, orAny: Bool = false, listening: @Sendable (Int) async throws -> Void
    ) async throws {
        self.address = address
        let certificate = try DeviceCertificate()
        if let path = settings.authority {
            let signature = try DeviceSignature(of: certificate)
            try Data(signature.authority.utf8).write(to: URL(filePath: path))
            machine.signature = signature
        }
        let context = try NIOSSLContext(configuration: certificate.serverConfiguration)
        let server: NIOAsyncChannel<Accepted, Never>
        do {
            server = try await Self.listen(address, port, context)
        } catch  where orAny {
            server = try await Self.listen(address, 0, context)
        }
        try await server.executeThenClose { connections in
            try await listening(server.channel.localAddress?.port ?? port)
            try await connections.serve { connection in await self.serve(connection) }
        }
    }

    private static func listen(
        _ address: String, _ port: Int, _ context: NIOSSLContext
    ) async throws -> NIOAsyncChannel<Accepted, Never> {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: address, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    return try Accepted(channel)
                }
            }
    }

    // MARK: Groups

    /// Connects the volume of a group with that of one of its devices.
    func add(_ member: ReceiverServer, id: String) async {
        members[id] = member
        await member.follow { [weak self] level, isMuted in await self?.changed(id, level, isMuted) }
    }

    private func follow(_ levelled: @escaping @Sendable (Double, Bool) async -> Void) { self.levelled = levelled }

    private func changed(_ id: String, _ level: Double, _ isMuted: Bool) {
        perform(machine.memberChanged(id, level: level, isMuted: isMuted))
    }

    private func set(level: Double, isMuted: Bool) { perform(machine.follow(level: level, isMuted: isMuted)) }

    // MARK: Clients

    private func serve(_ connection: Connection) async {
        lastClient += 1
        let client = lastClient
        let (output, feed) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1024))
        outputs[client] = feed
        silence[client] = 0
        if settings.failure == .garbage { feed.yield(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) }
        // Any end of a connection is a normal one here: senders leave as they like.
        try? await connection.executeThenClose { inbound, outbound in
            try await withThrowingTaskGroup(of: Void.self) { work in
                work.addTask { for await bytes in output { try await outbound.write(ByteBuffer(bytes: bytes)) } }
                work.addTask { try await self.read(inbound, client) }
                work.addTask { try await self.beat(client) }
                try await work.next()
                work.cancelAll()
            }
        }
        feed.finish()
        outputs[client] = nil
        silence[client] = nil
        machine.disconnected(client)
    }

    private func read(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ client: Int) async throws {
        var frames = CastFrames()
        for try await buffer in inbound {
            for message in try frames.append(buffer.readableBytesView) {
                silence[client] = 0
                perform(machine.received(message, from: client, now: Self.now))
            }
        }
    }

    /// Returns when the client is silent for too long.
    private func beat(_ client: Int) async throws {
        let ping = CastMessage(
            from: CastNames.platform, to: CastNames.everybody, namespace: CastNames.heartbeat,
            payload: .text(#"{"type":"PING"}"#))
        while let beats = silence[client], beats < 4 {
            try await Task.sleep(for: Self.heartbeat)
            silence[client, default: 0] += 1
            if let bytes = CastFrames.encode(ping) { outputs[client]?.yield(bytes) }
        }
    }

    // MARK: Effects

    private func perform(_ effects: [ReceiverMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let client, let message):
                if let bytes = CastFrames.encode(message) { outputs[client]?.yield(bytes) }
            case .open(let number, let url): open(number, url)
            case .fetch(let url, let part): read(url, part)
            case .cancelFetch:
                fetch?.cancel()
                opening?.stop()
            case .show(let event):
                show(event)
                if case .volume(let level, let isMuted) = event, let levelled {
                    Task { await levelled(level, isMuted) }
                }
            case .openStream(let offer, let link): open(offer, for: link)
            case .closeStream: closeStream()
            case .setMember(let id, let level, let isMuted):
                if let member = members[id] { Task { await member.set(level: level, isMuted: isMuted) } }
            case .subtitles(let url):
                Task { [show] in show(await MediaSource.subtitles(url)) }
            }
        }
        wake?.cancel()
        wake = machine.wakeTime.map { time in
            let pause = Duration.seconds(max(0, time - Self.now))
            return Task { [weak self] in
                guard (try? await Task.sleep(for: pause)) != nil else { return }
                await self?.wakeUp()
            }
        }
    }

    private func open(_ offer: StreamOffer, for link: ReceiverMachine.Link) {
        closeStream()
        let stream = try? ReceiverStream(
            offer, receivers: machine.receivers(of: offer), settings: settings, show: show
        ) { [weak self] in await self?.streamEnded() }
        self.stream = stream
        Task { [address] in
            let port = try? await stream?.open(address: address)
            perform(machine.opened(offer, port: port, for: link))
        }
    }

    private func closeStream() {
        guard let stream else { return }
        self.stream = nil
        Task { await stream.close() }
    }

    private func streamEnded() { perform(machine.streamEnded(now: Self.now)) }

    private func wakeUp() { perform(machine.woken(now: Self.now)) }

    private func open(_ number: Int, _ url: String) {
        let stop = DecodingStop()
        opening = stop
        current = number
        Task { [weak self] in
            let result = await MediaSource.open(url, stop: stop)
            await self?.opened(number, result)
        }
    }

    private func opened(_ number: Int, _ result: ReceiverMachine.OpenedMedia) {
        perform(machine.opened(number, result, now: Self.now))
    }

    private func read(_ url: String, _ part: Double) {
        fetch?.cancel()
        let number = current
        fetch = Task { [weak self, show] in
            guard let result = try? await MediaSource.read(url, part: part) else { return }
            show(.fetched(status: result.status, from: result.from, bytes: result.bytes))
            await self?.ended(number)
        }
    }

    private func ended(_ number: Int) { perform(machine.ended(number, now: Self.now)) }

    /// `CLOCK_MONOTONIC` in seconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
