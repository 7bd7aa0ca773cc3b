public import Avahi
public import Reachability
public import SSDP

/// Browses Bonjour services; ``AvahiClient`` in the daemon.
package protocol BonjourBrowsing: Sendable {
    func browse(type: String, domain: String?, resolving: Bool) async throws(AvahiError) -> AsyncStream<AvahiEvent>
    /// Resolves a service again. Its browses report a difference.
    func resolveAgain(name: String, type: String, domain: String) async
    /// Returns the daemon's caches without room for more services: the current ones, and then every change.
    func fullCaches() async -> AsyncStream<[AvahiCacheLoad]>
}

/// Searches and hears SSDP devices; ``SSDPBrowserService`` in the daemon.
package protocol SSDPBrowsing: Sendable {
    func browse(_ target: SSDPTarget) async -> AsyncStream<SSDPEvent>
}

/// Tries whether something answers; ``EndpointProber`` in the daemon.
package protocol EndpointProbing: Sendable {
    /// Asks all endpoints at once; the first good answer counts. Ends no later than `limit`.
    func ask(_ endpoints: [NumericEndpoint], _ question: ProbeQuestion, within limit: Duration) async -> ProbeAnswer
    /// Asks several subjects without haste: answers until the end of `gathering`, perhaps none, and then the others as
    /// they arrive. Ends with the last.
    func ask(_ requests: [ProbeRequest], gathering: Duration) -> AsyncStream<[ProbeReply]>
}

extension AvahiClient: BonjourBrowsing {}
extension EndpointProber: EndpointProbing {}
extension SSDPBrowserService: SSDPBrowsing {}
