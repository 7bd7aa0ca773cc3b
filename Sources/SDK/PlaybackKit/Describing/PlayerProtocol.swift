public import MediaDevice

/// A protocol that controls network players: how to discover its devices and how to connect to them.
///
/// The kit does everything that doesn't depend on the protocol. Conform to this protocol and to ``RemotePlayer``, and
/// name both types in a ``PlayerExtension``.
@MainActor
public protocol PlayerProtocol: DiscoveryProtocol {
    /// The type of a connected device.
    associatedtype Player: RemotePlayer

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
    public func open(
        _ device: MediaOutputDevice, secret: PlayerSecret, prompt: PlayerPrompt
    ) async throws(PlayerOpeningError) -> Player {
        try await open(device, secret: secret)
    }
}
