import Backoff
package import HostCore
package import HostInterface
package import Logging
import PipeWire
import PulseAudio
package import SoundFeed

/// A persistent connection to the desktop's sound server: PipeWire if available, otherwise PulseAudio.
package actor SoundServer: SoundServerPort {
    package typealias Connect = @Sendable () async throws -> any SoundServerConnection

    package nonisolated let events: AsyncStream<SoundServerEvent>
    private nonisolated let eventsContinuation: AsyncStream<SoundServerEvent>.Continuation
    private let candidates: [Connect]
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var connection: (any SoundServerConnection)?
    private var connecting: Task<Void, any Error>?
    private var following: Task<Void, Never>?
    /// The sinks to show in any server.
    private var sinks: [String: ServedSink] = [:]
    private var isClosed = false

    /// - Parameter candidates: Ways to a server, the best first.
    package init(candidates: [Connect], clock: any Clock<Duration> = ContinuousClock(), logger: Logger) {
        self.candidates = candidates
        self.clock = clock
        self.logger = logger
        (events, eventsContinuation) = AsyncStream.makeStream()
    }

    package var serverName: String? { connection?.serverName }

    package func connect() async throws(HostError) {
        do {
            try await connected()
        } catch {
            throw error as? HostError ?? HostError(.noSoundServer, "\(error)")
        }
    }

    package nonisolated func outputName(of id: String) -> String { ServedSink.outputName(of: id) }

    package func show(_ sink: ShownSink) async {
        guard !isClosed else { return }
        sinks[sink.id] = ServedSink(sink)
        if let connection { return await show(sink.id, in: connection) }
        follow()
    }

    package func hide(_ id: String) async {
        sinks[id] = nil
        await connection?.remove(id)
        await rest()
    }

    /// Without sinks, keep neither a thread nor memory.
    package func rest() async { if sinks.isEmpty { await disconnect() } }

    package func open(_ id: String, latency: RequestedLatency?) async throws(HostError) -> OpenStream {
        guard let connection else {
            throw HostError(.noSoundServer, "The sound server that the sink was in is gone.")
        }
        let format = try SampleFormat(encoding: "s16le", rate: SoundFeed.rate, channels: 2)
        do {
            return OpenStream(descriptor: try await connection.open(id), samples: format, latency: latency)
        } catch {
            throw HostError(.noSoundServer, error.message + ".")
        }
    }

    package func handedIn(_ id: String) async -> HandedSamples? {
        guard let progress = await connection?.progress(of: id) else { return nil }
        return HandedSamples(
            position: Double(progress.frames) / Double(SoundFeed.rate), hostTime: Double(progress.time) / 1e9)
    }

    package func shut(_ id: String) async { await connection?.shut(id) }

    package func close() async {
        isClosed = true
        sinks = [:]
        await disconnect()
        eventsContinuation.finish()
    }

    private func disconnect() async {
        following?.cancel()
        following = nil
        connecting?.cancel()
        await connection?.close()
        connection = nil
    }

    // MARK: The connection

    private func connected() async throws {
        guard connection == nil else { return }
        let task = connecting ?? Task { try await connectAny() }
        connecting = task
        defer { connecting = nil }
        try await task.value
    }

    private func connectAny() async throws(HostError) {
        var reasons: [String] = []
        for candidate in candidates {
            do {
                let opened = try await candidate()
                guard !isClosed, connection == nil else { return await opened.close() }
                connection = opened
                logger.info("Sinks are shown", metadata: ["server": "\(opened.serverName)"])
                for id in sinks.keys { await show(id, in: opened) }
                follow()
                return
            } catch {
                reasons.append((error as? SoundServerError)?.message ?? "\(error)")
            }
        }
        throw HostError(.noSoundServer, "No sound server answers here: " + reasons.joined(separator: "; ") + ".")
    }

    private func show(_ id: String, in connection: any SoundServerConnection) async {
        guard let sink = sinks[id] else { return }
        do {
            try await connection.show(sink)
        } catch {
            logger.warning("A sink cannot be shown", metadata: ["sink": "\(sink.name)", "reason": "\(error.message)"])
        }
    }

    /// Forwards events, and reconnects while there are sinks to show.
    private func follow() {
        guard following == nil, !isClosed else { return }
        following = Task {
            var backoff = Backoff(from: .milliseconds(250), upTo: .seconds(10))
            while !Task.isCancelled, !isClosed {
                if let connection {
                    backoff.reset()
                    for await event in connection.events { pass(event) }
                    guard !Task.isCancelled else { return }
                    logger.notice("The sound server is gone", metadata: ["server": "\(connection.serverName)"])
                    await connection.close()
                    self.connection = nil
                } else {
                    do {
                        try await connected()
                    } catch {
                        guard (try? await clock.sleep(for: backoff.next())) != nil else { return }
                    }
                }
            }
        }
    }

    private func pass(_ event: ServedSinkEvent) {
        switch event {
        case .feed(.sound, let id): eventsContinuation.yield(.sound(id: id))
        case .feed(.quiet, let id): eventsContinuation.yield(.quiet(id: id))
        case .feed(.cut, let id): eventsContinuation.yield(.cut(id: id))
        case .level(let level, let id): eventsContinuation.yield(.level(level, id: id))
        case .muted(let isMuted, let id): eventsContinuation.yield(.muted(isMuted, id: id))
        }
    }
}

extension SoundServer {
    /// Creates a connection to the user's sound servers.
    ///
    /// - Parameter folder: A folder that only the user can access, for the pipes into which PulseAudio writes.
    package static func ofThisUser(folder: String, logger: Logger) -> SoundServer {
        SoundServer(
            candidates: [
                { try PipeWireConnection() }, { try await PulseAudioConnection.open(folder: folder) },
            ], logger: logger)
    }
}

extension ServedSink {
    fileprivate init(_ sink: ShownSink) {
        self.init(
            id: sink.id, name: sink.name, hasLevel: sink.hasLevel, canMute: sink.canMute, level: sink.level,
            isMuted: sink.isMuted, delay: sink.delay)
    }
}
