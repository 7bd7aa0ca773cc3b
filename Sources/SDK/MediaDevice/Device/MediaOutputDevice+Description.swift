import DeviceDiscovery
import Foundation
package import HostInterface

extension MediaOutputDevice {
    /// The device in the form that crosses the link.
    package var onLink: DeviceDescription {
        DeviceDescription(
            id: id.uuidString, name: displayName,
            capabilities: DeviceDescription.Capabilities(rawValue: capabilities.rawValue), type: deviceType.nameOnLink,
            volumeControl: volumeControl.onLink, canMute: canMute, canGroup: canGroupWithCurrentlyActivatedDevices,
            supportsSimultaneousSessions: supportsSimultaneousSessions,
            endpoints: networkEndpoints.map(\.text),
            txt: txtRecords.reduce(into: [:]) { merged, record in
                merged.merge(record.dictionary) { first, _ in first }
            }, deduplicationIdentifiers: DeclaredIdentifier.normalised(deduplicationIdentifiers.sorted()),
            liveFormat: liveStreamFormat.onLink, leastLatency: leastLatency, usualLatency: usualLatency)
    }

    /// Creates a device from a description, such as one that the host remembers. Unreadable endpoints are omitted.
    ///
    /// - Returns: `nil` if the identifier isn't a UUID.
    package init?(_ description: DeviceDescription) {
        guard let id = UUID(uuidString: description.id) else { return nil }
        self.init(
            unchecked: id, displayName: description.name,
            capabilities: Capabilities(rawValue: description.capabilities.rawValue),
            canGroupWithCurrentlyActivatedDevices: description.canGroup,
            deviceType: DeviceType(nameOnLink: description.type) ?? .tv,
            volumeControl: VolumeControl(description.volumeControl), canMute: description.canMute,
            networkEndpoints: description.endpoints.compactMap { NWEndpoint(text: $0) },
            txtRecords: description.txt.isEmpty ? [] : [NWTXTRecord(description.txt)],
            supportsSimultaneousSessions: description.supportsSimultaneousSessions)
        deduplicationIdentifiers = Set(description.deduplicationIdentifiers)
        liveStreamFormat = LiveStreamFormat?(description.liveFormat)
        leastLatency = description.leastLatency
        usualLatency = description.usualLatency
    }
}

extension MediaOutputDevice.DeviceType {
    var nameOnLink: String {
        switch self {
        case .hifiSpeaker: "speaker"
        case .tv: "tv"
        case .mediaStick: "media-stick"
        case .laptopComputer: "laptop"
        case .desktopComputer: "desktop"
        case .tvAndMediabox: "tv-and-mediabox"
        case .hifiSpeakerTwo: "speaker-pair"
        case .tvAndHifiSpeaker: "tv-and-speaker"
        }
    }

    init?(nameOnLink name: String) {
        guard let match = Self.all.first(where: { $0.nameOnLink == name }) else { return nil }
        self = match
    }

    private static var all: [MediaOutputDevice.DeviceType] {
        [
            .hifiSpeaker, .tv, .mediaStick, .laptopComputer, .desktopComputer, .tvAndMediabox, .hifiSpeakerTwo,
            .tvAndHifiSpeaker,
        ]
    }
}

extension MediaOutputDevice.VolumeControl {
    var onLink: DeviceDescription.VolumeControl {
        switch self {
        case .none: .none
        case .absolute: .absolute
        case .relative: .relative
        }
    }

    init(_ onLink: DeviceDescription.VolumeControl) {
        switch onLink {
        case .none: self = .none
        case .absolute: self = .absolute
        case .relative: self = .relative
        }
    }
}

extension MediaOutputDevice.LiveStreamFormat? {
    fileprivate var onLink: DeviceDescription.LiveFormat {
        switch self {
        case .wave: .wave
        case .linearPCM: .linear
        case nil: .unsupported
        }
    }

    fileprivate init(_ onLink: DeviceDescription.LiveFormat) {
        switch onLink {
        case .wave: self = .wave
        case .linear: self = .linearPCM
        case .unsupported: self = nil
        }
    }
}
