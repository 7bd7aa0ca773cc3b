import PlaybackKit
import SoundServerPlayback

/// The discovery, pairing and connection of Bluetooth audio devices.
final class BluetoothDevices: PlayerProtocol {
    let sources: [SightingSource] = []
    private let directory: BluetoothDirectory
    /// The players that aren't closed. The last one of a device disconnects it.
    private var playerCounts: [MediaOutputDevice.ID: Int] = [:]
    /// The latest disconnection of each device. A new connection waits for it.
    private var disconnections: [MediaOutputDevice.ID: Task<Void, Never>] = [:]
    /// The playback that the loss of a device interrupted. The next connection resumes it.
    private var interrupted: [MediaOutputDevice.ID: SoundServerPlayback] = [:]

    init(setCredential: @escaping @MainActor (Data?, MediaOutputDevice) -> Void) {
        directory = BluetoothDirectory(setCredential: setCredential)
    }

    func deviceChanges() -> AsyncStream<DeviceChange> { directory.changes() }

    /// Devices are discovered without announcements.
    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? { nil }

    // MARK: Connecting

    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> BluetoothPlayer {
        try await open(device, asking: nil)
    }

    func open(
        _ device: MediaOutputDevice, secret: PlayerSecret, prompt: PlayerPrompt
    ) async throws(PlayerOpeningError) -> BluetoothPlayer {
        try await open(device, asking: prompt)
    }

    /// Connects a device, and pairs it first if someone is there to answer its questions.
    private func open(
        _ device: MediaOutputDevice, asking prompt: PlayerPrompt?
    ) async throws(PlayerOpeningError) -> BluetoothPlayer {
        do throws(BluetoothAudioError) {
            await disconnections[device.id]?.value
            let found = try await directory.device(device.id)
            var bond = found.bond
            if !found.isPaired { bond = try await pair(found, asking: prompt).bond }
            do throws(BluetoothAudioError) {
                try await BluetoothAudio.connect(found.id)
            } catch {
                // Whoever pairs a device wants it paired; without a sound server that is all there is to have.
                guard error.code == "no-profile", !found.isPaired else { throw error }
            }
            playerCounts[device.id, default: 0] += 1
            return BluetoothPlayer(device.id, bond: bond, in: directory, of: self)
        } catch {
            throw .failed(MediaDeviceError(error))
        }
    }

    private func pair(
        _ device: BluetoothAudioDevice, asking prompt: PlayerPrompt?
    ) async throws(BluetoothAudioError) -> BluetoothAudioDevice {
        guard let prompt else {
            throw BluetoothAudioError(
                code: "authentication-failed", message: "\(device.name) isn't paired any longer.",
                remedy: "Pair it again.")
        }
        return try await BluetoothAudio.pair(device.id) { [name = device.name] in
            await prompt.answer(to: $0, of: name)
        } ?? device
    }

    // MARK: Losses and endings

    func interrupt(_ playback: SoundServerPlayback, on device: MediaOutputDevice.ID) { interrupted[device] = playback }

    /// Returns the interrupted playback of a run, for the player that resumes it.
    func takeInterrupted(_ run: PlaybackRun, on device: MediaOutputDevice.ID) -> SoundServerPlayback? {
        guard let playback = interrupted.removeValue(forKey: device), playback.run == run else { return nil }
        return playback
    }

    /// Disconnects a device after its last player was closed.
    func closed(_ device: MediaOutputDevice.ID, isLost: Bool) async {
        playerCounts[device]? -= 1
        guard playerCounts[device] == 0 else { return }
        playerCounts[device] = nil
        guard !isLost else { return }
        interrupted[device] = nil
        guard let found = directory.known(device), found.isConnected else { return }
        disconnections[device] = Task { _ = try? await BluetoothAudio.disconnect(found.id) }
        await disconnections[device]?.value
    }
}
