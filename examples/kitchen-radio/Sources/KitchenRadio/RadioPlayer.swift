import DeviceConnections
import Foundation
import PlaybackKit

/// A connected radio.
actor RadioPlayer: RemotePlayer {
    nonisolated let events: AsyncStream<PlayerEvent>
    private let sink: AsyncStream<PlayerEvent>.Continuation
    private let connection: DeviceConnection<RadioMachine>
    private var run: PlaybackRun?

    init(_ connection: DeviceConnection<RadioMachine>) {
        self.connection = connection
        (events, sink) = PlayerEvent.makeStream()
        Task { [weak self] in
            for await news in connection.notifications { await self?.take(news) }
            await self?.close()
        }
    }

    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
        // Reports of the previous media must not count for the new run.
        self.run = nil
        try await send("play \(media.url.absoluteString)")
        self.run = run
        try await send("tell")
        return nil
    }

    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        self.run = run
        do throws(MediaDeviceError) {
            try await send("plays \(media.url.absoluteString)")
            return true
        } catch {
            guard error.code == .sessionFailed else { throw error }
            self.run = nil
            return false
        }
    }

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        switch wish {
        case .setPlaying(let plays): try await send(plays ? "resume" : "pause")
        case .seek(let position): try await send("seek \(position)")
        case .setVolume(let level): try await send("volume \(Int((level * 100).rounded()))")
        default:
            throw MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "The radio can't do this.")
        }
    }

    func stop(_ run: PlaybackRun) async {
        guard self.run == run else { return }
        self.run = nil
        try? await send("stop")
    }

    func close() async {
        sink.finish()
        await connection.close()
    }

    private func take(_ news: RadioNews) {
        switch news {
        case .volume(let level): sink.yield(.level(PlayerLevel(volume: level, isMuted: nil)))
        case .state(let isPlaying, let position, let duration):
            guard let run else { return }
            sink.yield(
                .playback(PlaybackSnapshot(isPlaying: isPlaying, position: position, duration: duration), of: run))
        case .ended: end(.finished)
        case .stopped: end(.stopped)
        }
    }

    private func end(_ ending: PlaybackEnding) {
        guard let run else { return }
        self.run = nil
        sink.yield(.ended(ending, of: run))
    }

    private func send(_ command: String) async throws(MediaDeviceError) {
        let answer: RadioMachine.Answer
        do throws(TransportFailure) {
            answer = try await connection.request(command)
        } catch {
            throw MediaDeviceError(.connectionFailed, reason: error.sentence)
        }
        guard case .error(let reason) = answer else { return }
        throw MediaDeviceError(.sessionFailed, detail: .deviceRefused, reason: "The radio says: \(reason)")
    }
}
