import DeviceConnections
import Foundation
import PlaybackKit

/// The discovery of and connection to radios.
struct RadioProtocol: PlayerProtocol {
    static let service = SightingSource.bonjour("_kitchen-radio._tcp")

    let sources = [service]

    func identity(of sighting: Sighting) -> String? { sighting.record["serial"] }

    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? {
        MediaOutputDevice(
            id: UUID(version5: "kitchen-radio:" + identity), displayName: sightings[0].name, capabilities: .urlPlayback,
            canGroupWithCurrentlyActivatedDevices: false, deviceType: .hifiSpeaker, volumeControl: .absolute,
            canMute: false, requiredNetworkEndpoints: sightings.flatMap(\.endpoints))
    }

    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> RadioPlayer {
        do throws(TransportFailure) {
            return RadioPlayer(try await DeviceConnection.open(anyOf: device.networkEndpoints) { RadioMachine() })
        } catch {
            throw .failed(MediaDeviceError(.connectionFailed, reason: error.sentence))
        }
    }
}
