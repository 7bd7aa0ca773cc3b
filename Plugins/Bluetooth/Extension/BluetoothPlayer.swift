import PlaybackKit
import SoundServerPlayback

/// A connected device. It reads media and sends the sound to the sound server.
@MainActor
final class BluetoothPlayer: SamplePlayer {
    nonisolated let secretToStore: Data?
    private let device: MediaOutputDevice.ID
    private let directory: BluetoothDirectory
    private let devices: BluetoothDevices
    private let sound: SoundServerPlayer
    private var wasConnected = false
    private var following: Task<Void, Never>?

    init(_ device: MediaOutputDevice.ID, bond: Data, in directory: BluetoothDirectory, of devices: BluetoothDevices) {
        self.device = device
        self.directory = directory
        self.devices = devices
        secretToStore = bond
        sound = SoundServerPlayer(
            .init { media, isPaused, latency throws(BluetoothAudioError) in
                let found = try await directory.device(device)
                return try await BluetoothAudioOutput.open(
                    found.id, media: media, isPaused: isPaused, latency: latency)
            } convert: {
                MediaDeviceError($0)
            } interrupted: {
                devices.interrupt($0, on: device)
            })
        look()
        following = Task { [weak self, directory] in
            for await _ in directory.news() { self?.look() }
        }
    }

    nonisolated var events: AsyncStream<PlayerEvent> { sound.events }

    func close() async {
        following?.cancel()
        guard await sound.close() else { return }
        await devices.closed(device, isLost: sound.isLost)
    }

    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
        try await sound.load(media, as: run)
        return nil
    }

    nonisolated var sampleRate: Int? { BluetoothAudioOutput.sampleRate }

    func play(_ samples: PlayableSamples, as run: PlaybackRun) async throws(MediaDeviceError) {
        try await sound.play(samples, as: run)
    }

    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        try await sound.resume(devices.takeInterrupted(run, on: device), as: run)
        return true
    }

    func stop(_ run: PlaybackRun) async { await sound.stop(run) }

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        switch wish {
        case .setPlaying(let isPlaying): sound.setPlaying(isPlaying)
        case .seek(let position): await sound.seek(to: position)
        case .setVolume(let volume):
            guard let found = directory.known(device) else { return }
            do throws(BluetoothAudioError) { try await BluetoothAudio.setVolume(volume, of: found.id) } catch {
                throw MediaDeviceError(.sessionFailed, reason: error.sentence)
            }
        case .changeVolume, .setMuted, .setSpeed, .scan, .selectAudio, .selectAudioDescription, .selectSubtitles:
            throw MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "A Bluetooth device can't do that.")
        }
    }

    private func look() {
        let found = directory.known(device)
        // Bluetooth has no mute.
        if let volume = found?.volume { sound.show(PlayerLevel(volume: volume, isMuted: nil)) }
        let isConnected = found?.isConnected == true
        if wasConnected, !isConnected { sound.lose() }
        wasConnected = isConnected
    }
}
