import MediaDevice

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

    /// Devices that need no announcement, such as a simulated one in this process. They are found whenever somebody looks for
    /// devices; none unless you implement it.
    var ownDevices: [MediaOutputDevice] { get }

    /// The text that is the same for every sighting of one device, and different for every other device.
    ///
    /// Use the protocol's strongest identifier, never an address. The host keeps secrets and names under it. Without an
    /// implementation it is the announced name, so that a renamed device is another one.
    ///
    /// - Returns: `nil` if the announcement belongs to no device of this protocol.
    func identity(of sighting: Sighting) -> String?

    /// The identities of everything that is announced now.
    ///
    /// Implement it in place of ``identity(of:)`` when announcements have to be compared with each other, because the protocol
    /// has no identifier of its own. Called whenever something changes, before ``device(_:from:)``.
    ///
    /// - Parameter sightings: In the order of ``sources``, and of their names.
    /// - Returns: One identity for each; those without one belong to no device.
    func identities(of sightings: [Sighting]) -> [Sighting: String]

    /// The device that sightings of the same identity describe.
    ///
    /// Called for every device whenever an announcement changes, since its name may depend on the others.
    ///
    /// - Parameters:
    ///   - identity: The result of ``identity(of:)``.
    ///   - sightings: One or more announcements, in the order of ``sources``.
    /// - Returns: `nil` as long as too little is known, for example no address.
    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice?

    /// Connects to a device, authenticates, and returns the connected player.
    ///
    /// Make one attempt: the kit and the host repeat it (``ReconnectPolicy``). The task is cancelled when the result
    /// isn't needed any longer.
    ///
    /// - Parameter secret: The stored secret, the text that a person entered, or none.
    /// - Throws: ``PlayerOpeningError``
    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> Player
}

extension PlayerProtocol {
    public var ownDevices: [MediaOutputDevice] { [] }

    public func identity(of sighting: Sighting) -> String? { sighting.name }

    public func identities(of sightings: [Sighting]) -> [Sighting: String] {
        Dictionary(
            sightings.compactMap { sighting in identity(of: sighting).map { (sighting, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
