import AddressPolicy
import Foundation
import NIOPosix

extension RendererDirectory.Announcement {
    /// Returns the location with the current address of its host. A name can't lead elsewhere later, because everything
    /// in a description has to be on the same host.
    ///
    /// - Throws: ``DeviceFailure/redirected(_:)`` if the address is neither the device's own nor on its network.
    func pinnedLocation() async throws -> URL {
        guard let host = location.host(percentEncoded: false) else { throw DeviceFailure.unreachable("no host") }
        let policy = AddressPolicy(device: addresses.compactMap { NetworkAddress($0) })
        // The resolver of the system waits.
        let address = try await NIOThreadPool.singleton.runIfActive { policy.resolve(host) }
        guard let address else { throw DeviceFailure.redirected(host) }
        guard address != host else { return location }
        var components = URLComponents(url: location, resolvingAgainstBaseURL: true)
        components?.host = address.contains(":") ? "[\(address)]" : address
        guard let pinned = components?.url else { throw DeviceFailure.redirected(host) }
        return pinned
    }
}
