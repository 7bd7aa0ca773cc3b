import HostInterface

/// Where accepted pushes go.
package protocol PushDelivery: Sendable {
    /// Returns when the push is kept; asked again for the same push, it does no harm.
    ///
    /// - Throws: ``HostError`` where it could not be kept.
    func deliver(_ push: PushRequest) async throws -> PushOutcome
    /// Delivers no more.
    func close() async
}
