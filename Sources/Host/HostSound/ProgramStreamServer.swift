import Backoff
package import HostCore
package import HostInterface
package import Logging
import PulseAudio
import SoundFeed

/// The streams of programs on PulseAudio, or on PipeWire by PulseAudio's protocol (pipewire-pulse).
package actor ProgramStreamServer: ProgramStreamPort {
    package nonisolated let changes: AsyncStream<Void>
    private nonisolated let change: AsyncStream<Void>.Continuation
    /// The path of the server's socket; `nil` for the user's default server.
    private let path: String?
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var connection: PulseStreams?
    private var following: Task<Void, Never>?

    package init(path: String? = nil, clock: any Clock<Duration> = ContinuousClock(), logger: Logger) {
        self.path = path
        self.clock = clock
        self.logger = logger
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func follow(_ isFollowed: Bool) async {
        guard isFollowed else {
            following?.cancel()
            following = nil
            let closed = connection.take()
            await closed?.finish()
            return
        }
        guard following == nil else { return }
        following = Task {
            var backoff = Backoff(from: .milliseconds(250), upTo: .seconds(10))
            while !Task.isCancelled {
                if let opened = try? await PulseStreams.open(path: path) {
                    guard !Task.isCancelled else { return await opened.close() }
                    backoff.reset()
                    connection = opened
                    change.yield()
                    for await _ in opened.changes { change.yield() }
                    guard !Task.isCancelled else { return }
                    connection = nil
                    change.yield()
                }
                guard (try? await clock.sleep(for: backoff.next())) != nil else { return }
            }
        }
    }

    package func streams() async -> ProgramStreams? {
        guard let connection else { return nil }
        do throws(SoundServerError) {
            let found = try await connection.read()
            return ProgramStreams(
                server: found.server,
                streams: found.streams.map {
                    ProgramStream(id: $0.index, output: $0.output, processID: $0.processID)
                }, outputs: Set(found.outputs), defaultOutput: found.defaultOutput)
        } catch {
            logger.debug("The streams of programs cannot be read", metadata: ["reason": "\(error.message)"])
            return nil
        }
    }

    package func move(_ stream: UInt32, to output: String) async throws(HostError) {
        guard let connection else { throw HostError(.noSoundServer, "The sound server of the stream is gone.") }
        do throws(SoundServerError) {
            try await connection.move(stream, to: output)
        } catch {
            throw HostError(.noSoundOutput, error.message + ".")
        }
        logger.info("A stream is moved", metadata: ["stream": "\(stream)", "output": "\(output)"])
    }
}
