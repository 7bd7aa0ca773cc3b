public import MediaDevice

/// A protocol that controls network players: how to discover its devices and how to connect to them.
///
/// The kit does everything that doesn't depend on the protocol. Conform to this protocol and to ``RemotePlayer``, and
/// name both types in a ``PlayerExtension``.
@MainActor
public protocol PlayerProtocol {
    /// The type of a connected device.
    associatedtype Player: RemotePlayer

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

    /// Connects to a device, authenticates, and returns the connected player.
    ///
    /// Make one attempt: the kit and the host repeat it (``ReconnectPolicy``). The task is cancelled when the result
    /// isn't needed any longer.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - secret: The stored secret, the text that a person entered, or none.
    /// - Throws: ``PlayerOpeningError``
    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> Player

    /// Connects to a device that may ask a person questions meanwhile, as Bluetooth pairing does.
    ///
    /// The kit calls it for activations, and ``open(_:secret:)`` for the restoration of a lost connection, where no
    /// person can answer. The default calls ``open(_:secret:)``.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - secret: The stored secret, the text that a person entered, or none.
    ///   - prompt: The questions to the person who activates the device.
    /// - Throws: ``PlayerOpeningError``
    func open(
        _ device: MediaOutputDevice, secret: PlayerSecret, prompt: PlayerPrompt
    ) async throws(PlayerOpeningError) -> Player
}

extension PlayerProtocol {
    public var ownDevices: [MediaOutputDevice] { [] }

    public func deviceChanges() -> AsyncStream<DeviceChange> { AsyncStream { $0.finish() } }

    public func open(
        _ device: MediaOutputDevice, secret: PlayerSecret, prompt: PlayerPrompt
    ) async throws(PlayerOpeningError) -> Player {
        try await open(device, secret: secret)
    }

    public func identity(of sighting: Sighting) -> String? { sighting.name }

    public func identities(of sightings: [Sighting]) -> [Sighting: String] {
        Dictionary(
            sightings.compactMap { sighting in identity(of: sighting).map { (sighting, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
