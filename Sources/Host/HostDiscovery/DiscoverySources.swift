import Avahi
import Reachability
import SSDP

/// Browses Bonjour services; ``AvahiClient`` in the daemon.
package protocol BonjourBrowsing: Sendable {
    func browse(type: String, domain: String?, resolving: Bool) async throws(AvahiError) -> AsyncStream<AvahiEvent>
    /// Asks the network anew where the service is; a difference is reported by its browses.
    func resolveAgain(name: String, type: String, domain: String) async
    /// The daemon's caches that have no room for further services, at once and whenever they are others.
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
}

extension AvahiClient: BonjourBrowsing {}
extension EndpointProber: EndpointProbing {}
extension SSDPBrowserService: SSDPBrowsing {}
