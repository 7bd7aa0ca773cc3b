package import HostInterface

/// The destination of accepted pushes.
package protocol PushDelivery: Sendable {
    /// Stores a push. Repeated calls with the same push have no further effect.
    ///
    /// - Throws: ``HostError`` if the push couldn't be stored.
    func deliver(_ push: PushRequest) async throws -> PushOutcome
    /// Stops delivering.
    func close() async
}
