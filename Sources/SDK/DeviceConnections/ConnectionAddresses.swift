public import DeviceDiscovery
import NIOCore
import NIOPosix

/// The two ends of a connection to a device, as numeric addresses without zone.
///
/// A protocol needs them if the device connects to this computer, too: with several networks, only the system's routing
/// determines which address of this computer a device can reach.
public struct ConnectionAddresses: Sendable, Hashable {
    /// The address of this computer, as the device sees it.
    public let local: String
    /// The address of the device, as this computer sees it.
    public let remote: String

    /// Creates the addresses of a connection.
    public init(local: String, remote: String) {
        self.local = local
        self.remote = remote
    }

    /// Connects to a device, returns both addresses, and closes the connection.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the device, and a port on which it listens.
    ///   - limit: The time for connecting.
    /// - Throws: ``TransportFailure`` if the device accepts no connection.
    public static func reaching(
        _ endpoint: NWEndpoint, within limit: Duration = .seconds(5)
    ) async throws(TransportFailure) -> ConnectionAddresses {
        let channel = try await Transport.connect(to: endpoint, on: Transport.group.next(), within: limit) { _ in }
        defer { channel.close(promise: nil) }
        guard let local = channel.localAddress?.ipAddress, let remote = channel.remoteAddress?.ipAddress else {
            throw .unreachable("no IP address")
        }
        return ConnectionAddresses(local: local.withoutZone, remote: remote.withoutZone)
    }
}
