import AddressPolicy
import Foundation
import NIOPosix

extension RendererDirectory.Announcement {
    /// The location with the address that its host stands for now, so that a name cannot lead elsewhere later: everything
    /// a description refers to has to be on the same host.
    ///
    /// - Throws: ``DeviceFailure/redirected(_:)`` where it is neither the device's own nor of its network.
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
