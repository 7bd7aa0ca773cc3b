import DeviceDiscovery
import Foundation

/// A playback device that an extension found.
///
/// Two values are equal when their identifiers are: the identifier stands for the physical device, everything else may
/// change over time.
public struct MediaOutputDevice: CustomStringConvertible, Hashable, Identifiable, Sendable {
    /// Stable for the physical device, across processes and restarts; the key of the host's cache and credentials.
    public let id: UUID
    /// The name people see.
    public let displayName: String
    /// What the device takes.
    public let capabilities: Capabilities
    /// Whether the device can join devices already in use; `false`: it has to be activated alone.
    public let canGroupWithCurrentlyActivatedDevices: Bool
    /// Whether the device takes several sessions at once.
    public let supportsSimultaneousSessions: Bool
    /// What the device looks like; decides its icon only.
    public let deviceType: DeviceType
    /// How its level can be changed.
    public let volumeControl: VolumeControl
    /// Whether it can be muted.
    public let canMute: Bool
    /// Metadata from discovery.
    public let txtRecords: [NWTXTRecord]
    /// Where the device, or every member of the group, is reached; in order of preference. Empty only for a device made
    /// by `init(id:displayName:capabilities:deviceType:)`.
    public let networkEndpoints: [NWEndpoint]
    /// What other protocols call the same physical thing, as `kind:value`: `mac:0011223344aa`, `upnp:` and a unique device
    /// name, or a kind of your own with a value that is unique in the world. At most 16 of 128 bytes. Only on Linux.
    ///
    /// Devices of different protocols that share one are shown to people as one, until a person says otherwise; of two that
    /// are of one protocol nothing is made. Addresses, names and numbers that only a maker keeps apart (`1234`, a serial
    /// number without its maker) are no such identifier. Case does not matter.
    public var deduplicationIdentifiers: Set<String> = []

    /// A device with at least one endpoint.
    ///
    /// - Returns: `nil` when `networkEndpoints` is empty.
    public init?(
        id: UUID, displayName: String, capabilities: MediaOutputDevice.Capabilities,
        canGroupWithCurrentlyActivatedDevices: Bool = true, deviceType: MediaOutputDevice.DeviceType = .tv,
        volumeControl: MediaOutputDevice.VolumeControl = .relative, canMute: Bool = true,
        requiredNetworkEndpoints networkEndpoints: [NWEndpoint], txtRecords: [NWTXTRecord] = [],
        supportsSimultaneousSessions: Bool = false
    ) {
        guard !networkEndpoints.isEmpty else { return nil }
        self.init(
            unchecked: id, displayName: displayName, capabilities: capabilities,
            canGroupWithCurrentlyActivatedDevices: canGroupWithCurrentlyActivatedDevices, deviceType: deviceType,
            volumeControl: volumeControl, canMute: canMute, networkEndpoints: networkEndpoints, txtRecords: txtRecords,
            supportsSimultaneousSessions: supportsSimultaneousSessions)
    }

    /// A device by a textual identifier, in the spelling of early betas.
    ///
    /// - Parameter id: A UUID, or any other text that is stable for the device; the latter becomes the version-5 UUID
    ///   of the text in ``Foundation/UUID/mediaOutputDeviceNamespace``.
    public init(
        id: String, displayName: String, capabilities: MediaOutputDevice.Capabilities,
        deviceType: MediaOutputDevice.DeviceType = .tv
    ) {
        self.init(
            unchecked: UUID(uuidString: id) ?? UUID(version5: id, namespace: .mediaOutputDeviceNamespace),
            displayName: displayName, capabilities: capabilities, canGroupWithCurrentlyActivatedDevices: true,
            deviceType: deviceType, volumeControl: .relative, canMute: true, networkEndpoints: [], txtRecords: [],
            supportsSimultaneousSessions: false)
    }

    init(
        unchecked id: UUID, displayName: String, capabilities: Capabilities,
        canGroupWithCurrentlyActivatedDevices: Bool, deviceType: DeviceType, volumeControl: VolumeControl,
        canMute: Bool, networkEndpoints: [NWEndpoint], txtRecords: [NWTXTRecord], supportsSimultaneousSessions: Bool
    ) {
        self.id = id
        self.displayName = displayName
        self.capabilities = capabilities
        self.canGroupWithCurrentlyActivatedDevices = canGroupWithCurrentlyActivatedDevices
        self.deviceType = deviceType
        self.volumeControl = volumeControl
        self.canMute = canMute
        self.networkEndpoints = networkEndpoints
        self.txtRecords = txtRecords
        self.supportsSimultaneousSessions = supportsSimultaneousSessions
    }

    public static func == (lhs: MediaOutputDevice, rhs: MediaOutputDevice) -> Bool { lhs.id == rhs.id }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    public var description: String { "\(displayName) (\(deviceType), \(capabilities), \(id))" }
}
