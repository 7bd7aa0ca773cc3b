import DeviceDiscovery
import PlaybackKit
import SoundServerPlayback

/// Reads media and plays it on this computer. It is lost with the sound server, and continues with the next one.
@MainActor
final class ComputerPlayer: RemotePlayer {
    /// The playback that the end of a sound server interrupted. The next connection resumes it.
    private static var interrupted: SoundServerPlayback?

    nonisolated let events: AsyncStream<PlayerEvent>
    private let sink: AsyncStream<PlayerEvent>.Continuation
    private var current: SoundServerPlayback?
    private var isOver = false
    private var following: Task<Void, Never>?

    init(_ output: ComputerAudio.Output) {
        (events, sink) = PlayerEvent.makeStream()
        show(output)
        following = Task { [weak self] in
            for await output in ComputerAudio.outputs() {
                // Another output may follow at once, as where headphones are unplugged; playback tells if none does.
                if let output { self?.show(output) }
            }
        }
    }

    private func show(_ output: ComputerAudio.Output) {
        sink.yield(.level(PlayerLevel(volume: output.volume, isMuted: output.isMuted)))
    }

    func close() async {
        guard !isOver else { return }
        isOver = true
        following?.cancel()
        sink.finish()
        await replace(nil)
    }

    // MARK: Playback

    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
        await replace(nil)
        let playback = try await SoundServerPlayback.open(media, as: run)
        await replace(playback)
        do throws(MediaDeviceError) { try await play(playback) } catch {
            await replace(nil)
            throw error
        }
        return nil
    }

    /// Resumes a playback that the end of the sound server interrupted. The sound comes from this process, so there is
    /// none to adopt after a crash.
    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        guard let playback = Self.interrupted, playback.run == run else {
            throw MediaDeviceError(
                .sessionFailed, detail: .notSupported,
                reason: "The sound ended with the process that sent it. Play the media again.")
        }
        Self.interrupted = nil
        await replace(playback)
        await playback.interrupt()
        try await play(playback)
        return true
    }

    func stop(_ run: PlaybackRun) async { if current?.run == run { await replace(nil) } }

    private func replace(_ playback: SoundServerPlayback?) async {
        let previous = current
        current = playback
        playback?.onEvent = { [weak self, weak playback] event in
            if let playback, let self, current === playback { happened(event, playback) }
        }
        await previous?.close()
    }

    private func play(_ playback: SoundServerPlayback) async throws(MediaDeviceError) {
        try await playback.play { media, isPaused throws(BluetoothAudioError) in
            try await ComputerAudio.open(media: media, isPaused: isPaused)
        } convert: {
            MediaDeviceError(.connectionFailed, reason: $0.message)
        }
        if current === playback { happened(.progress, playback) } else { await playback.interrupt() }
    }

    // MARK: Wishes

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        do throws(BluetoothAudioError) {
            switch wish {
            case .setPlaying(let isPlaying): current?.setPlaying(isPlaying)
            case .seek(let position): if let current { await seek(to: position, in: current) }
            case .setVolume(let volume): try await ComputerAudio.setVolume(volume)
            case .setMuted(let isMuted): try await ComputerAudio.setMuted(isMuted)
            case .changeVolume, .setSpeed, .selectAudio, .selectSubtitles:
                throw BluetoothAudioError(code: "not-supported", message: "This computer can't do that.", remedy: nil)
            }
        } catch {
            throw MediaDeviceError(.sessionFailed, reason: error.message)
        }
    }

    private func seek(to position: Double, in playback: SoundServerPlayback) async {
        await playback.interrupt()
        playback.seek(to: position)
        do throws(MediaDeviceError) { try await play(playback) } catch {
            if error.code == .connectionFailed { lose() } else { end(.failed(error), of: playback) }
        }
    }

    // MARK: The sound server's word

    private func happened(_ event: SoundServerPlayback.Event, _ playback: SoundServerPlayback) {
        switch event {
        case .progress: sink.yield(.playback(playback.snapshot, of: playback.run))
        case .key: break
        case .lost: lose()
        case .ended(let ending): end(ending, of: playback)
        }
    }

    private func end(_ ending: PlaybackEnding, of playback: SoundServerPlayback) {
        guard current === playback else { return }
        current = nil
        sink.yield(.ended(ending, of: playback.run))
        Task { await playback.close() }
    }

    /// Leaves the playback to the next connection.
    private func lose() {
        guard !isOver else { return }
        isOver = true
        following?.cancel()
        if let playback = current {
            current = nil
            Self.interrupted = playback
            Task { await playback.interrupt() }
        }
        sink.finish()
    }
}
