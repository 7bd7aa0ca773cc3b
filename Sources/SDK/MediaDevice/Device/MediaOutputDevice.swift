public import DeviceDiscovery
import Foundation

/// A playback device that an extension discovered.
///
/// Two values are equal if their identifiers are. The identifier stands for the physical device; everything else can
/// change over time.
public struct MediaOutputDevice: CustomStringConvertible, Hashable, Identifiable, Sendable {
    /// The identifier of the physical device, stable across processes and restarts. The host's cache and credentials
    /// use it as their key.
    public let id: UUID
    /// The name for people.
    public let displayName: String
    /// The kinds of media that the device accepts.
    public let capabilities: Capabilities
    /// A Boolean value that indicates whether the device can join devices in use. Otherwise it has to be activated
    /// alone.
    public let canGroupWithCurrentlyActivatedDevices: Bool
    /// A Boolean value that indicates whether the device accepts several sessions at once.
    public let supportsSimultaneousSessions: Bool
    /// The kind of device, which only determines its icon.
    public let deviceType: DeviceType
    /// The kind of volume control that the device has.
    public let volumeControl: VolumeControl
    /// A Boolean value that indicates whether the device can be muted.
    public let canMute: Bool
    /// The metadata from discovery.
    public let txtRecords: [NWTXTRecord]
    /// The addresses of the device, or of every member of the group, in order of preference. Empty only for a device
    /// created with `init(id:displayName:capabilities:deviceType:)`.
    public let networkEndpoints: [NWEndpoint]
    /// The identifiers of the same physical device in other protocols, as `kind:value`. Available on Linux only.
    ///
    /// Use `mac:0011223344aa`, `upnp:` with a unique device name, or a kind of your own with a globally unique value;
    /// at most 16 identifiers of 128 bytes. Case is ignored. Addresses, names and numbers that are unique only for
    /// their maker (`1234`, a serial number without the maker) aren't suitable.
    ///
    /// People see devices of different protocols with a common identifier as one device, unless a person separates
    /// them. Devices of the same protocol are never merged.
    public var deduplicationIdentifiers: Set<String> = []
    /// The format in which the device plays sound of unknown length from a URL, such as that of a sink; `nil` if it
    /// plays none. Available on Linux only.
    public var liveStreamFormat: LiveStreamFormat? = .wave
    /// The least latency of live samples that can be asked of the device, in seconds, `0...30`; `nil` if it isn't known.
    /// Available on Linux only.
    ///
    /// It is the time from the source to the listener, as of ``MediaSampleReader/requestedLatency``. People who ask for less
    /// are told that they get this.
    public var leastLatency: TimeInterval?
    /// The latency of live samples for which none is asked, in seconds, `0...30`; `nil` if it isn't known. Available on
    /// Linux only.
    ///
    /// A sink expects it for its first playback, until the device reports the actual one. So players show the picture with
    /// the sound from the beginning.
    public var usualLatency: TimeInterval?

    /// A format of sound of unknown length. Available on Linux only.
    public enum LiveStreamFormat: Sendable, Hashable {
        /// `audio/wav`, whose header states the greatest possible length.
        case wave
        /// Bare samples, `audio/L16` (RFC 2586) or `audio/L24` (RFC 3190), for players that require a length of WAVE
        /// files.
        case linearPCM
    }

    /// Creates a device with at least one endpoint.
    ///
    /// - Returns: `nil` if `networkEndpoints` is empty.
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

    /// Creates a device with a textual identifier, in the spelling of early betas.
    ///
    /// - Parameters:
    ///   - id: A UUID, or any other text that is stable for the device. Such a text becomes its version-5 UUID in
    ///     `UUID.mediaOutputDeviceNamespace`.
    ///   - displayName: The name that people see.
    ///   - capabilities: The capabilities of the device.
    ///   - deviceType: The kind of device.
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

    /// Returns a Boolean value that indicates whether two devices have the same identifier.
    public static func == (lhs: MediaOutputDevice, rhs: MediaOutputDevice) -> Bool { lhs.id == rhs.id }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The name, kind, capabilities and identifier, for logs.
    public var description: String { "\(displayName) (\(deviceType), \(capabilities), \(id))" }
}
