import HostInterface

/// A media app as it declares itself in its `Info.plist`.
package struct ApplicationDeclaration: Codable, Sendable, Hashable {
    package var identifier: String
    package var name: String
    /// Keys of `MDESupportedProtocols`.
    package var protocols: [String]
    /// `MDESupportsUniversalURLPlayback`.
    package var universalURLPlayback: Bool

    package init(identifier: String, name: String, protocols: [String], universalURLPlayback: Bool) {
        self.identifier = identifier
        self.name = name
        self.protocols = protocols
        self.universalURLPlayback = universalURLPlayback
    }

    /// Returns a Boolean value that indicates whether a person may pick the device for the app: the app has media for
    /// it, or the device plays the app's own sound.
    package func supports(_ device: HostDevice) -> Bool {
        way(to: device) != nil || (universalURLPlayback && device.description.capabilities.contains(.urlPlayback))
            || device.description.takesLiveSound
    }

    /// Protocol and its name by which the app reaches a device that may be reached by several; `nil` for none.
    package func way(to device: HostDevice) -> (protocol: String, name: String)? {
        let ways =
            [(device.protocolIdentifier, device.protocolName)]
            + device.parts.filter { $0.availability != DevicePart.absent }.map { ($0.protocol, $0.protocolName) }
        return ways.first { protocols.contains($0.0) }
    }

    /// Returns the features for an activation: the app's own application if it speaks the protocol, URLs if it supports
    /// them, and live audio, as far as the device supports them. A device without live audio plays that from a URL.
    func features(of device: HostDevice) -> DeviceDescription.Capabilities {
        var wanted: DeviceDescription.Capabilities = [.realtimeAudio]
        if !device.description.capabilities.contains(.realtimeAudio) { wanted.insert(.urlPlayback) }
        if protocols.contains(device.protocolIdentifier) { wanted.formUnion([.appLaunch, .urlPlayback]) }
        if universalURLPlayback { wanted.insert(.urlPlayback) }
        return wanted.intersection(device.description.capabilities)
    }
}
