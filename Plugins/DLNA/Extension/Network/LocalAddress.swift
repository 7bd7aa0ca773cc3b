import Descriptors
import Foundation
import NIOCore
import NIOPosix

/// The two ends of a connection to a device.
struct LocalAddress: Sendable, Hashable {
    /// The local address, numeric without zone, at which the device can reach this computer.
    var own: String
    /// The device's, numeric without zone.
    var device: String

    /// Connects to the host of a URL and returns both addresses. With several networks, only the system's routing
    /// determines which address the device sees.
    ///
    /// - Throws: ``DeviceFailure``
    static func reaching(
        _ url: URL, group: any EventLoopGroup, timeout: Duration = .seconds(5)
    ) async throws(DeviceFailure) -> LocalAddress {
        guard let host = url.host(percentEncoded: false) else { throw .unreachable("no host in \(url)") }
        let port = try port(of: url)
        guard DescriptorReserve.hasRoom else { throw .exhausted }
        do {
            let channel = try await ClientBootstrap(group: group).connectTimeout(TimeAmount(timeout))
                .connect(host: host, port: port).get()
            let ends = (channel.localAddress?.ipAddress, channel.remoteAddress?.ipAddress)
            channel.close(promise: nil)
            guard let own = ends.0, let device = ends.1 else { throw DeviceFailure.unreachable("no IP address") }
            return LocalAddress(own: withoutZone(own), device: withoutZone(device))
        } catch let failure as DeviceFailure {
            throw failure
        } catch {
            throw error is ChannelError ? .timedOut : .unreachable("no connection to \(host)")
        }
    }

    /// An address may say any number, and NIO takes only ports.
    ///
    /// - Throws: ``DeviceFailure``.
    static func port(of url: URL) throws(DeviceFailure) -> Int {
        let port = url.port ?? 80
        guard (1...65_535).contains(port) else { throw .unreachable("no port in \(url)") }
        return port
    }

    static func withoutZone(_ address: String) -> String { String(address.prefix { $0 != "%" }) }
}
