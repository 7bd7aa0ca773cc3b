public import MediaDevice

/// An extension that the kit implements for devices that play samples (``SamplePlayer``).
///
/// ```swift
/// @main
/// final class KitchenExtension: SamplePlayerExtension {
///     let protocolType = UTType(exportedAs: "org.example.kitchen")
///     lazy var players = PlayerController(KitchenProtocol(), for: self)
/// }
/// ```
///
/// The kit reports whether each delivery was complete: whether every frame came and no connection was lost.
@MainActor
public protocol SamplePlayerExtension: PlayerExtension, RealtimeSampleHandling where Described.Player: SamplePlayer {}

extension SamplePlayerExtension {
    public func startRealtimeSampleDelivery(session: MediaOutputSession) { players.startSamples(in: session) }

    public func stopRealtimeSampleDelivery(session: MediaOutputSession) { players.stopSamples(in: session) }
}
