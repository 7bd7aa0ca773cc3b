import DeviceConnections
import Foundation
import GoogleCastProtocol
import PlaybackKit

/// The discovery of Google Cast devices, and the connection to them. A group is announced like a device and is one.
struct CastDevices: PlayerProtocol {
    let sources = [SightingSource.bonjour("_googlecast._tcp")]

    func identity(of sighting: Sighting) -> String? {
        CastRecord.identity(sighting.record, instance: sighting.name)
    }

    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? {
        guard let sighting = sightings.first else { return nil }
        let record = CastRecord(sighting.record, instance: sighting.name)
        var properties = sighting.record
        properties["playing"] = record.activity ?? ""
        var capabilities: MediaOutputDevice.Capabilities = [.urlPlayback, .appLaunch, .realtimeAudioStreaming]
        if record.hasScreen { capabilities.insert(.realtimeVideoStreaming) }
        var device = MediaOutputDevice(
            id: Self.identifier(identity), displayName: record.name,
            capabilities: capabilities,
            canGroupWithCurrentlyActivatedDevices: false,
            deviceType: record.hasScreen ? .tv : record.isGroup ? .hifiSpeakerTwo : .hifiSpeaker,
            volumeControl: .absolute, canMute: true, requiredNetworkEndpoints: sightings.flatMap(\.endpoints),
            txtRecords: [NWTXTRecord(properties)])
        device?.leastLatency = CastPlayer.leastLatency
        device?.usualLatency = CastPlayer.usualLatency
        return device
    }

    nonisolated static func identifier(_ identity: String) -> UUID { UUID(version5: "googlecast:" + identity) }

    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> CastPlayer {
        let sender = "sender-" + UUID().uuidString.lowercased()
        do throws(TransportFailure) {
            // Devices make a new certificate every day and sign it themselves, so there is nothing to compare it with.
            let connection = try await DeviceConnection.open(
                anyOf: device.networkEndpoints, security: .tls(.anyCertificate)
            ) { CastConnectionMachine(sender: sender) }
            let record = CastRecord(device.txtRecords.first?.dictionary ?? [:], instance: device.displayName)
            return CastPlayer(
                connection, name: device.displayName, hasScreen: record.hasScreen, isGroup: record.isGroup)
        } catch {
            throw .failed(MediaDeviceError(error))
        }
    }
}
