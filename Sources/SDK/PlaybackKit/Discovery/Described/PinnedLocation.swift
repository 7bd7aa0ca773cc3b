import AddressPolicy
import Dispatch
import Foundation

extension DeviceAnnouncement {
    /// The address leads to another network, or there is none.
    struct ForeignLocation: Error {}

    /// Returns the location with the current address of its host. A name can't lead elsewhere later, as long as everything
    /// in a description has to be on the same host.
    ///
    /// - Throws: ``ForeignLocation`` if the address is neither the device's own nor on its network.
    func pinnedLocation() async throws(ForeignLocation) -> URL {
        guard let host = location.host(percentEncoded: false) else { throw ForeignLocation() }
        let policy = AddressPolicy(device: addresses.compactMap { NetworkAddress($0) })
        // The resolver of the system waits.
        let address = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: policy.resolve(host)) }
        }
        guard let address else { throw ForeignLocation() }
        guard address != host else { return location }
        var components = URLComponents(url: location, resolvingAgainstBaseURL: true)
        components?.host = address.contains(":") ? "[\(address)]" : address
        guard let pinned = components?.url else { throw ForeignLocation() }
        return pinned
    }
}
