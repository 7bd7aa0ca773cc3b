import Backoff
import DBus
package import HostCore
package import HostInterface
package import Logging
import PulseAudio
import SoundFeed

/// Carries out the orders for this computer's own sound output, and hands all others on.
package struct ComputerSoundOrders: BluetoothPort {
    private let others: any BluetoothPort
    private let sound: BluetoothSoundServer
    /// The path of the server's socket; `nil` for the user's default server.
    private let path: String?
    private let clock: any Clock<Duration>
    private let logger: Logger

    package init(
        before others: any BluetoothPort, path: String? = nil, clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.others = others
        sound = BluetoothSoundServer(path: path)
        self.path = path
        self.clock = clock
        self.logger = logger
    }

    package func forget(_ address: String) async throws(HostError) { try await others.forget(address) }

    package func begin(_ order: BluetoothOrder) async -> BluetoothConversation {
        guard order.device == ComputerSound.device else { return await others.begin(order) }
        switch order.verb {
        case .browse: return browse()
        case .setVolume:
            let volume = order.volume ?? 0
            return once { output throws(SoundServerError) in try await output.setVolume(volume) }
        case .setMuted:
            let isMuted = order.isMuted ?? false
            return once { output throws(SoundServerError) in try await output.setMuted(isMuted) }
        case .play: return play(order)
        case .pair, .reply, .cancel, .connect, .disconnect, .pause, .resume, .describe:
            return conversation { _ in .failed("not-supported", "This computer can't do that.") }
        }
    }

    // MARK: The output

    /// Reports the output and its level until the order is cancelled, also of a server that comes later.
    private func browse() -> BluetoothConversation {
        conversation { [path, clock] sink in
            var backoff = Backoff(from: .milliseconds(500), upTo: .seconds(30))
            while !Task.isCancelled {
                if let output = try? await PulseDefaultOutput.open(path: path) {
                    backoff.reset()
                    var isThere = false
                    for await level in output.levels where !Task.isCancelled {
                        if let level {
                            sink.yield(.device(Self.state(level)))
                        } else {
                            sink.yield(.lost(ComputerSound.device))
                        }
                        isThere = level != nil
                    }
                    await output.close()
                    if isThere { sink.yield(.lost(ComputerSound.device)) }
                }
                guard (try? await clock.sleep(for: backoff.next())) != nil else { break }
            }
            return BluetoothAnswer(.done)
        }
    }

    private static func state(_ level: PulseDefaultOutput.Level) -> BluetoothDeviceState {
        var state = BluetoothDeviceState(
            id: ComputerSound.device, address: "", name: level.name, kind: "speaker", isPaired: true, isConnected: true,
            volume: level.volume, hasTransport: true)
        state.isMuted = level.isMuted
        return state
    }

    private func once(
        _ body: @escaping @Sendable (PulseDefaultOutput) async throws(SoundServerError) -> Void
    ) -> BluetoothConversation {
        conversation { [path] _ in
            do throws(SoundServerError) {
                let output = try await PulseDefaultOutput.open(path: path)
                for await level in output.levels {
                    guard level != nil else { break }
                    try await body(output)
                    await output.close()
                    return BluetoothAnswer(.done)
                }
                return .failed(HostError.Code.noSoundOutput.rawValue, "The sound server has no output.")
            } catch {
                return .failed(HostError.Code.noSoundServer.rawValue, error.message + ".")
            }
        }
    }

    // MARK: Sound

    private func play(_ order: BluetoothOrder) -> BluetoothConversation {
        let (requests, feed) = AsyncStream.makeStream(of: BluetoothOrder.self)
        return conversation(
            { [sound] sink in
                do throws(HostError) {
                    let playing = try await sound.playHere(
                        title: order.media?.title ?? "mdhost", isPaused: order.isPaused ?? false, latency: order.latency
                    )
                    let following = Task {
                        for await request in requests where [.pause, .resume].contains(request.verb) {
                            await playing.setPaused(request.verb == .pause)
                        }
                    }
                    let last = await follow(playing, sink)
                    following.cancel()
                    await playing.close()
                    return last
                } catch {
                    return .failed(error.code.rawValue, error.message)
                }
            }, reply: { feed.yield($0) })
    }

    private func follow(
        _ playing: any BluetoothSound, _ sink: AsyncStream<BluetoothAnswer>.Continuation
    ) async -> BluetoothAnswer {
        if let entry = playing.takeEntry() { sink.yield(.sound(DBusDescriptor(received: entry))) }
        for await event in playing.events {
            switch event {
            case .heard(let place): sink.yield(.heard(place))
            case .ended: return BluetoothAnswer(.done)
            case .lost:
                return .failed(HostError.Code.unreachable.rawValue, "The sound server of this computer is gone.")
            }
        }
        return .failed(HostError.Code.cancelled.rawValue, "The operation was cancelled.")
    }

    /// A conversation whose last answer is the result of `body`.
    private func conversation(
        _ body: @escaping @Sendable (AsyncStream<BluetoothAnswer>.Continuation) async -> BluetoothAnswer,
        reply: @escaping @Sendable (BluetoothOrder) -> Void = { _ in }
    ) -> BluetoothConversation {
        let answers = AsyncStream<BluetoothAnswer> { sink in
            let task = Task { [logger] in
                let last = await body(sink)
                if last.kind == .failed { logger.info("This computer's sound failed: \(last.message ?? "")") }
                sink.yield(last)
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
        return BluetoothConversation(answers: answers, reply: reply)
    }
}
