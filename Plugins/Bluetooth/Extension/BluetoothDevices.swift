import PlaybackKit
import SoundServerPlayback

/// The discovery, pairing and connection of Bluetooth audio devices.
final class BluetoothDevices: PlayerProtocol {
    let sources: [SightingSource] = []
    private let directory: BluetoothDirectory
    /// The players that are being opened or aren't closed. The last one of a device disconnects it.
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
        // At once: a player that is being closed meanwhile isn't the last one.
        playerCounts[device.id, default: 0] += 1
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
            return BluetoothPlayer(device.id, bond: bond, in: directory, of: self)
        } catch {
            removePlayer(of: device.id)
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
        guard removePlayer(of: device), !isLost else { return }
        interrupted[device] = nil
        guard let found = directory.known(device), found.isConnected else { return }
        disconnections[device] = Task { _ = try? await BluetoothAudio.disconnect(found.id) }
        await disconnections[device]?.value
    }

    /// Counts a player that is gone, and returns a Boolean value that indicates whether it was the device's last one.
    @discardableResult
    private func removePlayer(of device: MediaOutputDevice.ID) -> Bool {
        let count = playerCounts[device, default: 1] - 1
        playerCounts[device] = count > 0 ? count : nil
        return count == 0
    }
}
