import Foundation
import NIOCore
import NIOPosix
public import ReferenceProtocol

/// The reference device as a running program: it accepts clients, plays media, and shows notices.
///
/// Call ``run(_:)`` once. The receiver stops when the calling task is cancelled.
public actor ReferenceReceiver {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private typealias Accepted = AcceptedConnection<ByteBuffer, ByteBuffer>

    /// The port and announcement of a listening receiver.
    public struct Place: Sendable, Hashable {
        public let port: Int
        public let announcement: ReferenceAnnouncement
    }

    private let settings: ReceiverSettings
    private let show: @Sendable (ReceiverNotice) -> Void
    /// A clock in seconds that never stops or jumps.
    private let clock: @Sendable () -> Double
    private let store: PairingStore
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private var memory: PairingStore.Memory
    private var machine: ReceiverMachine
    private var outputs: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    private var lastClient = 0
    private var fetch: Task<Void, Never>?
    private var wake: Task<Void, Never>?
    private var recording: LiveRecording?

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - settings: The settings of the receiver.
    ///   - clock: The receiver's clock in seconds; by default the local `CLOCK_MONOTONIC`.
    ///   - show: The receiver's screen.
    public init(
        _ settings: ReceiverSettings, clock: @escaping @Sendable () -> Double = { ReferenceReceiver.hostTime },
        show: @escaping @Sendable (ReceiverNotice) -> Void
    ) {
        self.settings = settings
        self.clock = clock
        self.show = show
        store = PairingStore(file: settings.memoryFile)
        memory = store.load()
        machine = ReceiverMachine(settings: settings, id: memory.id, tokens: Set(memory.tokens))
    }

    /// Accepts clients until the task is cancelled.
    ///
    /// - Parameter listening: A function that is called once, when the receiver listens.
    /// - Throws: An `IOError` if it can't listen, a `CocoaError` if it can't write its file.
    public func run(_ listening: @Sendable (Place) async throws -> Void) async throws {
        let server = try await listen()
        memory.port = server.channel.localAddress?.port
        // Paired clients must find the same receiver in the next run.
        try store.save(memory)
        let place = Place(
            port: server.channel.localAddress?.port ?? settings.port,
            announcement: ReferenceAnnouncement(
                id: memory.id, authorization: settings.authorization, volume: settings.volume, kind: settings.kind,
                canGroup: settings.canGroup, live: settings.live, alsoKnownAs: settings.alsoKnownAs))
        defer {
            fetch?.cancel()
            wake?.cancel()
        }
        try await server.executeThenClose { connections in
            try await listening(place)
            try await connections.serve { connection in await self.serve(connection) }
        }
    }

    /// Listens on the port of the last run, unless the settings have another one or it is in use.
    private func listen() async throws -> NIOAsyncChannel<Accepted, Never> {
        func bind(_ port: Int) async throws -> NIOAsyncChannel<Accepted, Never> {
            try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: settings.address, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture { try Accepted(channel) }
                }
        }
        if settings.port == 0, let port = memory.port, let server = try? await bind(port) { return server }
        return try await bind(settings.port)
    }

    /// The current state of playback.
    public var playback: ReferencePlayback? { machine.playback(at: clock()) }

    /// Performs an action of the person at the receiver.
    public func perform(_ action: ReceiverAction) { run(machine.performed(action, at: now)) }

    // MARK: Clients

    private func serve(_ connection: Connection) async {
        lastClient += 1
        let client = lastClient
        let (output, feed) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1024))
        outputs[client] = feed
        do {
            try await connection.executeThenClose { inbound, outbound in
                run(machine.connected(client))
                try await withThrowingTaskGroup(of: Void.self) { work in
                    work.addTask {
                        for await bytes in output { try await outbound.write(ByteBuffer(bytes: bytes)) }
                    }
                    work.addTask { try await self.read(inbound, client) }
                    // Whichever ends first: the client hung up, or it is to go.
                    try await work.next()
                    work.cancelAll()
                }
            }
        } catch is CancellationError {
        } catch let failure as ReferenceLines.Failure {
            show(.trouble("A client was sent away: \(failure)."))
        } catch {
            // The client is gone; its activities end below.
        }
        feed.finish()
        outputs[client] = nil
        run(machine.disconnected(client))
    }

    private func read(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ client: Int) async throws {
        var lines = ReferenceLines()
        for try await buffer in inbound {
            for line in try lines.take(buffer.readableBytesView) {
                let request = try ReferenceLines.decode(ReferenceRequest.self, from: line)
                run(machine.received(request, from: client, at: now))
            }
        }
    }

    // MARK: Effects

    private func run(_ effects: [ReceiverMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let client, let message): outputs[client]?.yield(ReferenceLines.encode(message))
            case .sendGarbage(let client): outputs[client]?.yield(Array("HTTP/1.1 418 I'm a teapot\r\n\r\n".utf8))
            case .disconnect(let client): outputs[client]?.finish()
            case .show(let notice): show(notice)
            case .fetch(let number, let media): startFetch(number, media)
            case .cancelFetch: fetch?.cancel()
            case .startLive(let live): record(live)
            case .playSound(let samples): recording?.add(samples: samples)
            case .showPicture(let accessUnit): recording?.add(picture: accessUnit)
            case .endLive: recording = nil
            case .remember(let tokens): remember(tokens)
            }
        }
        wake?.cancel()
        wake = machine.wakeTime.map { time in
            let delay = Duration.seconds(max(0, time - now))
            return Task { [weak self] in
                try? await Task.sleep(for: delay)
                guard !Task.isCancelled else { return }
                await self?.wakeUp()
            }
        }
    }

    private func wakeUp() { run(machine.woken(at: now)) }

    private func startFetch(_ number: Int, _ media: ReferenceMedia) {
        fetch = Task { [weak self, group] in
            do {
                let wasLive = try await MediaFetcher(group: group).play(media) { [weak self] facts in
                    await self?.fetched(number, facts)
                }
                if wasLive { await self?.fetchEnded(number, nil) }
            } catch let failure as ReferenceFailure {
                if !Task.isCancelled { await self?.fetchEnded(number, failure) }
            } catch {
                // The task was cancelled.
            }
        }
    }

    private func fetched(_ number: Int, _ facts: MediaFacts) { run(machine.fetched(number, facts, at: now)) }

    private func fetchEnded(_ number: Int, _ failure: ReferenceFailure?) { run(machine.fetchFailed(number, failure)) }

    private func record(_ live: ReferenceLive) {
        do {
            recording = try LiveRecording(live, sound: settings.soundFile, pictures: settings.pictureFile)
        } catch {
            show(.trouble("What is received cannot be kept: \(error.localizedDescription)"))
        }
    }

    private func remember(_ tokens: Set<String>) {
        memory.tokens = tokens.sorted()
        do {
            try store.save(memory)
        } catch {
            show(.trouble("The pairing cannot be kept: \(error.localizedDescription)"))
        }
    }

    private var now: Double { clock() }

    /// `CLOCK_MONOTONIC` in seconds.
    public static var hostTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
