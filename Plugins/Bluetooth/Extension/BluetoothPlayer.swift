import PlaybackKit
import SoundServerPlayback

/// A connected device. It reads media and sends the sound to the sound server.
@MainActor
final class BluetoothPlayer: RemotePlayer {
    nonisolated let events: AsyncStream<PlayerEvent>
    nonisolated let secretToStore: Data?
    private let sink: AsyncStream<PlayerEvent>.Continuation
    private let device: MediaOutputDevice.ID
    private let directory: BluetoothDirectory
    private let devices: BluetoothDevices
    private var current: SoundServerPlayback?
    private var volume: Double?
    private var wasConnected = false
    private var isLost = false
    private var isClosed = false
    private var following: Task<Void, Never>?

    init(_ device: MediaOutputDevice.ID, bond: Data, in directory: BluetoothDirectory, of devices: BluetoothDevices) {
        self.device = device
        self.directory = directory
        self.devices = devices
        secretToStore = bond
        (events, sink) = PlayerEvent.makeStream()
        look()
        following = Task { [weak self, directory] in
            for await _ in directory.news() { self?.look() }
        }
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        following?.cancel()
        sink.finish()
        await replace(nil)
        await devices.closed(device, isLost: isLost)
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

    /// Resumes a playback that the loss of the device interrupted. The sound comes from this process, so there is none
    /// to adopt after a crash.
    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        guard let playback = devices.takeInterrupted(run, on: device) else {
            throw MediaDeviceError(
                .sessionFailed, detail: .notSupported,
                reason: "The sound ended with the process that sent it. Play the media again.")
        }
        await replace(playback)
        await playback.interrupt()
        do throws(MediaDeviceError) { try await play(playback) } catch {
            if error.code == .connectionFailed { lose() }
            throw error
        }
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
        try await playback.play { [device, directory] media, isPaused throws(BluetoothAudioError) in
            try await BluetoothAudioOutput.open(try await directory.device(device).id, media: media, isPaused: isPaused)
        } convert: {
            MediaDeviceError($0)
        }
        if current === playback { happened(.progress, playback) } else { await playback.interrupt() }
    }

    // MARK: Wishes

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        switch wish {
        case .setPlaying(let isPlaying): current?.setPlaying(isPlaying)
        case .seek(let position): if let current { await seek(to: position, in: current) }
        case .setVolume(let volume):
            guard let found = directory.known(device) else { return }
            do throws(BluetoothAudioError) { try await BluetoothAudio.setVolume(volume, of: found.id) } catch {
                throw MediaDeviceError(.sessionFailed, reason: error.sentence)
            }
        case .changeVolume, .setMuted, .setSpeed, .selectAudio, .selectSubtitles:
            throw MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "A Bluetooth device can't do that.")
        }
    }

    private func seek(to position: Double, in playback: SoundServerPlayback) async {
        await playback.interrupt()
        playback.seek(to: position)
        do throws(MediaDeviceError) { try await play(playback) } catch {
            if error.code == .connectionFailed { lose() } else { end(.failed(error), of: playback) }
        }
    }

    // MARK: The device's word

    private func happened(_ event: SoundServerPlayback.Event, _ playback: SoundServerPlayback) {
        switch event {
        case .progress: sink.yield(.playback(playback.snapshot, of: playback.run))
        case .key(.play): playback.setPlaying(true)
        case .key(.pause), .key(.stop): playback.setPlaying(false)
        case .key(.playPause): playback.setPlaying(!playback.isPlaying)
        // There is one item.
        case .key: break
        case .lost: lose()
        case .ended(let ending): end(ending, of: playback)
        }
    }

    private func look() {
        let found = directory.known(device)
        if let volume = found?.volume, volume != self.volume {
            self.volume = volume
            // Bluetooth has no mute.
            sink.yield(.level(PlayerLevel(volume: volume, isMuted: nil)))
        }
        let isConnected = found?.isConnected == true
        if wasConnected, !isConnected { lose() }
        wasConnected = isConnected
    }

    private func end(_ ending: PlaybackEnding, of playback: SoundServerPlayback) {
        guard current === playback else { return }
        current = nil
        sink.yield(.ended(ending, of: playback.run))
        Task { await playback.close() }
    }

    /// Leaves the playback to the next connection.
    private func lose() {
        guard !isLost, !isClosed else { return }
        isLost = true
        if let playback = current {
            current = nil
            devices.interrupt(playback, on: device)
            Task { await playback.interrupt() }
        }
        sink.finish()
    }
}
