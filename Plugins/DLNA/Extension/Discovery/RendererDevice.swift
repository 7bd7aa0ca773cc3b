import DLNAProtocol
import Foundation
import PlaybackKit

extension RendererDescription {
    /// The UUID inside the device's unique name, or a version 5 UUID of the name where its maker put something else.
    var identifier: UUID { UUID(uuidString: bareName) ?? UUID(version5: "upnp:" + bareName) }

    /// The unique name without `uuid:`.
    fileprivate var bareName: String {
        let name = deviceName.lowercased()
        return name.hasPrefix("uuid:") ? String(name.dropFirst(5)) : name
    }
}

extension RendererDetails: DeviceDescription {
    var identifier: UUID { description.identifier }
    var deviceName: String { description.deviceName }
    var location: URL { description.location }

    /// The renderer as a device; `nil` if its address is unknown.
    ///
    /// It includes the address of the description, so that the host can pass a remembered device to a new process.
    var device: MediaOutputDevice? {
        let location = description.location
        guard let host = location.host(percentEncoded: false),
            let port = NWEndpoint.Port(rawValue: UInt16(clamping: location.port ?? 80))
        else { return nil }
        var device = MediaOutputDevice(
            id: description.identifier, displayName: description.friendlyName, capabilities: .urlPlayback,
            canGroupWithCurrentlyActivatedDevices: false, deviceType: hasScreen ? .tv : .hifiSpeaker,
            volumeControl: volume == nil ? .none : .absolute, canMute: canMute,
            requiredNetworkEndpoints: [.hostPort(host: NWEndpoint.Host(host), port: port), .url(location)])
        // A maker may have given the same name to all devices of a model, unless the name is a UUID.
        if UUID(uuidString: description.bareName) != nil {
            device?.deduplicationIdentifiers = ["upnp:" + description.bareName]
        }
        return device
    }
}

extension MediaOutputDevice {
    /// The URL of the description when the device was last discovered.
    var descriptionLocation: URL? {
        for case .url(let url) in networkEndpoints { return url }
        return nil
    }
}
