public import MediaDevice

/// A protocol of devices in the network: how to discover them.
///
/// ``PlayerProtocol`` adds how to connect to them. An extension that conforms to `MediaDeviceExtension` itself passes its
/// `DiscoveryProtocol` to a ``DeviceScanner``.
@MainActor
public protocol DiscoveryProtocol {
    /// The announcements to search for. Declare each of them in the extension's `Info.plist` too.
    var sources: [SightingSource] { get }

    /// The devices that need no announcement, such as a simulated one in this process. Every discovery reports them.
    /// The default is none.
    var ownDevices: [MediaOutputDevice] { get }

    /// Returns a stream of devices that the protocol discovers without announcements, for example over a bus of the
    /// computer. It begins with the devices that are known.
    ///
    /// The kit calls it when a discovery or an activation starts, and cancels the iteration when no device is in use or
    /// wanted any longer. The default is an empty stream.
    func deviceChanges() -> AsyncStream<DeviceChange>

    /// Returns the identity of the device that sent an announcement, equal for all its announcements and unique among
    /// devices.
    ///
    /// Use the protocol's strongest identifier, never an address. The host stores secrets and names under the identity.
    /// The default is the announced name, so that a renamed device counts as another one.
    ///
    /// - Returns: The identity; `nil` if the announcement belongs to no device of this protocol.
    func identity(of sighting: Sighting) -> String?

    /// Returns the identities of all current announcements.
    ///
    /// Implement this method instead of ``identity(of:)`` if the protocol has no identifier, so that announcements have
    /// to be compared with each other. The kit calls it after each change, before ``device(_:from:)``.
    ///
    /// - Parameter sightings: The announcements, in the order of ``sources`` and their names.
    /// - Returns: The identity of each announcement. One without an identity belongs to no device.
    func identities(of sightings: [Sighting]) -> [Sighting: String]

    /// Returns the device that the announcements of one identity describe.
    ///
    /// The kit calls it for every device after each change of an announcement, because a device's name may depend on
    /// the others.
    ///
    /// - Parameters:
    ///   - identity: The result of ``identity(of:)``.
    ///   - sightings: One or more announcements, in the order of ``sources``.
    /// - Returns: The device; `nil` as long as too little is known, for example no address.
    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice?
}

extension DiscoveryProtocol {
    public var ownDevices: [MediaOutputDevice] { [] }

    public func deviceChanges() -> AsyncStream<DeviceChange> { AsyncStream { $0.finish() } }

    public func identity(of sighting: Sighting) -> String? { sighting.name }

    public func identities(of sightings: [Sighting]) -> [Sighting: String] {
        Dictionary(
            sightings.compactMap { sighting in identity(of: sighting).map { (sighting, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
