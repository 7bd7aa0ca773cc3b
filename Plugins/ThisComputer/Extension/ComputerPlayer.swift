import DeviceDiscovery
import PlaybackKit
import SoundServerPlayback

/// Reads media and plays it on this computer. It is lost with the sound server, and continues with the next one.
@MainActor
final class ComputerPlayer: SamplePlayer {
    private let devices: ComputerDevices
    private let sound: SoundServerPlayer
    private var following: Task<Void, Never>?

    init(_ output: ComputerAudio.Output, of devices: ComputerDevices) {
        self.devices = devices
        sound = SoundServerPlayer(
            .init { media, isPaused, latency throws(BluetoothAudioError) in
                try await ComputerAudio.open(media: media, isPaused: isPaused, latency: latency)
            } convert: {
                MediaDeviceError(.connectionFailed, reason: $0.message)
            } interrupted: {
                devices.interrupted = $0
            })
        show(output)
        following = Task { [weak self] in
            for await output in ComputerAudio.outputs() {
                // Another output may follow at once, as where headphones are unplugged; playback tells if none does.
                if let output { self?.show(output) }
            }
        }
    }

    nonisolated var events: AsyncStream<PlayerEvent> { sound.events }

    private func show(_ output: ComputerAudio.Output) {
        sound.show(PlayerLevel(volume: output.volume, isMuted: output.isMuted))
    }

    func close() async {
        following?.cancel()
        _ = await sound.close()
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
        let interrupted = devices.interrupted
        devices.interrupted = nil
        try await sound.resume(interrupted, as: run)
        return true
    }

    func stop(_ run: PlaybackRun) async { await sound.stop(run) }

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        do throws(BluetoothAudioError) {
            switch wish {
            case .setPlaying(let isPlaying): sound.setPlaying(isPlaying)
            case .seek(let position): await sound.seek(to: position)
            case .setVolume(let volume): try await ComputerAudio.setVolume(volume)
            case .setMuted(let isMuted): try await ComputerAudio.setMuted(isMuted)
            case .changeVolume, .setSpeed, .scan, .selectAudio, .selectAudioDescription, .selectSubtitles:
                throw BluetoothAudioError(code: "not-supported", message: "This computer can't do that.", remedy: nil)
            }
        } catch {
            throw MediaDeviceError(.sessionFailed, reason: error.message)
        }
    }
}
