package import HostCore
package import HostInterface

/// Devices added by hand appear like any other: in the browses of their kind, and once they answer.
extension SharedDiscovery {
    package func search(
        _ address: ManualAddress, for kinds: [DeclaredKind]
    ) async throws(HostError) -> [ManualDevice.Finding] {
        try await UnicastSearch(prober: prober).findings(at: address, for: kinds)
    }

    package func setManual(_ findings: [ManualDevice.Finding]) {
        manual = findings
        for request in activeRequests { applyManual(to: request) }
        advance()
    }

    /// Adds the manual items of a request's kind to the results of its browse.
    func applyManual(to request: BrowseRequest) {
        let items = manual.filter { $0.kind == request.kind && $0.type == request.type }.map(\.item)
        for event in overlays[request, default: ManualOverlay()].set(items) {
            for told in directory.apply(event, of: request, isHeard: false, now: .now) { deliver(told, of: request) }
        }
    }
}
