import DeviceDiscovery
import Foundation
import PlaybackKit
import SoundServerPlayback

/// This computer, listed while a sound server has an output.
final class ComputerDevices: PlayerProtocol {
    let sources: [SightingSource] = []
    /// The playback that the end of a sound server interrupted. The next connection resumes it.
    var interrupted: SoundServerPlayback?

    func deviceChanges() -> AsyncStream<DeviceChange> {
        AsyncStream { sink in
            let task = Task {
                var isListed = false
                for await output in ComputerAudio.outputs() where (output != nil) != isListed {
                    guard let computer = Self.computer else { break }
                    isListed = output != nil
                    sink.yield(isListed ? .found(computer) : .lost(computer))
                }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
    }

    /// There is nothing to announce it.
    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? { nil }

    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> ComputerPlayer {
        for await output in ComputerAudio.outputs() {
            if let output { return ComputerPlayer(output, of: self) }
            break
        }
        throw .failed(
            MediaDeviceError(
                .connectionFailed, reason: "No sound server of this user has an output. PipeWire needs pipewire-pulse.")
        )
    }

    /// Nobody else sees it, so it needs no more identity.
    static var computer: MediaOutputDevice? {
        guard let place = URL(string: "computer:sound") else { return nil }
        var computer = MediaOutputDevice(
            id: UUID(version5: "this-computer"), displayName: "This computer", capabilities: .realtimeAudioStreaming,
            canGroupWithCurrentlyActivatedDevices: false, deviceType: .hifiSpeaker, volumeControl: .absolute,
            canMute: true, requiredNetworkEndpoints: [.url(place)], supportsSimultaneousSessions: true)
        // The least time that the sound server is asked to buffer.
        computer?.leastLatency = 0.02
        return computer
    }
}
