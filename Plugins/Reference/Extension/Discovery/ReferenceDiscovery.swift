import Foundation
import MediaDevice
import PlaybackKit
import ReferenceProtocol

/// The discovery of receivers.
struct ReferenceDiscovery: DiscoveryProtocol {
    let sources = [SightingSource.bonjour(ReferenceAnnouncement.serviceType)]

    func identity(of sighting: Sighting) -> String? { ReferenceAnnouncement(txt: sighting.record)?.id }

    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? {
        guard let sighting = sightings.first, let announcement = ReferenceAnnouncement(txt: sighting.record) else {
            return nil
        }
        var capabilities: MediaOutputDevice.Capabilities = [.urlPlayback, .appLaunch]
        if announcement.live.contains(.sound) { capabilities.insert(.realtimeAudioStreaming) }
        if announcement.live.contains(.picture) { capabilities.insert(.realtimeVideoStreaming) }
        var device = MediaOutputDevice(
            id: UUID(uuidString: identity) ?? UUID(version5: "reference:\(identity)"), displayName: sighting.name,
            capabilities: capabilities,
            canGroupWithCurrentlyActivatedDevices: announcement.canGroup,
            deviceType: announcement.kind == .speaker ? .hifiSpeaker : .tv,
            volumeControl: announcement.volume.asVolumeControl, canMute: announcement.volume != .none,
            requiredNetworkEndpoints: sighting.endpoints, txtRecords: [NWTXTRecord(sighting.record)])
        device?.deduplicationIdentifiers = Set(announcement.alsoKnownAs)
        if !announcement.live.isEmpty {
            device?.leastLatency = LiveSettings().leastLatency
            device?.usualLatency = LiveSettings().usualLatency
        }
        return device
    }
}

extension ReferenceAnnouncement.Volume {
    fileprivate var asVolumeControl: MediaOutputDevice.VolumeControl {
        switch self {
        case .absolute: .absolute
        case .relative: .relative
        case .none: .none
        }
    }
}
