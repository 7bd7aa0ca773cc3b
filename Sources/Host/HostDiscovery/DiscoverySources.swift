import Avahi
import SSDP

/// Browses Bonjour services; ``AvahiClient`` in the daemon.
package protocol BonjourBrowsing: Sendable {
    func browse(type: String, domain: String?, resolving: Bool) async throws(AvahiError) -> AsyncStream<AvahiEvent>
}

/// Searches and hears SSDP devices; ``SSDPBrowserService`` in the daemon.
package protocol SSDPBrowsing: Sendable {
    func browse(_ target: SSDPTarget) async -> AsyncStream<SSDPEvent>
}

extension AvahiClient: BonjourBrowsing {}
extension SSDPBrowserService: SSDPBrowsing {}
