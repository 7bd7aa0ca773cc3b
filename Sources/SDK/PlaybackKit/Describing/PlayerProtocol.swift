import MediaDevice

/// A protocol that controls players on the network: how its devices are found, and how one is reached.
///
/// The kit does everything that does not depend on the protocol. Conform to this type and to ``RemotePlayer``, and name
/// both in a ``PlayerExtension``.
@MainActor
public protocol PlayerProtocol {
    associatedtype Player: RemotePlayer

    /// The announcements to look for. Each has to be declared in the extension's `Info.plist` too.
    var sources: [SightingSource] { get }

    /// The text that is the same for every sighting of one device, and different for every other device.
    ///
    /// Use the protocol's strongest identifier, never an address. The host keeps secrets and names under it.
    ///
    /// - Returns: `nil` for an announcement that belongs to no device of this protocol.
    func identity(of sighting: Sighting) -> String?

    /// The device that sightings of the same identity describe.
    ///
    /// Called whenever one of them changes.
    ///
    /// - Parameters:
    ///   - identity: The text of ``identity(of:)``.
    ///   - sightings: At least one, in the order of ``sources``.
    /// - Returns: `nil` while too little is known, such as no address.
    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice?

    /// Connects to a device, proves that it may be controlled, and returns it.
    ///
    /// One attempt: the kit and the host repeat it (``ReconnectPolicy``). Cancelled when nobody waits any longer.
    ///
    /// - Parameter secret: The stored secret, the text a person entered, or none.
    /// - Throws: ``PlayerOpeningError``
    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> Player
}
