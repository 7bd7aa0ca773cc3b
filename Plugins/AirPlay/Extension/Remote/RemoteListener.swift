import AirPlayProtocol
import Dispatch
import Logging
import MediaDevice
import NIOCore
import ReverseConnections

/// The remote control of this computer at one of its addresses, with its announcement.
final class RemoteListener: Sendable {
    let identity: RemoteIdentity
    let desk: RemoteDesk
    private let server: DeviceServer
    private let announcement: BonjourAnnouncement

    /// Creates and announces a remote control.
    ///
    /// - Parameter local: An address of this computer.
    /// - Throws: NIO's errors, if it can't listen there.
    init(at local: SocketAddress) async throws {
        identity = RemoteIdentity(UInt64.random(in: .min ... .max))
        desk = RemoteDesk()
        server = try await DeviceServer.listening(
            at: local, group: AirPlayTransport.group, bounds: RemoteDesk.bounds, responder: desk)
        let parameters = NWParameters.tcp
        parameters.requiredInterface = Self.interface(of: local)
        let announcement = BonjourAnnouncement(
            name: identity.serviceName, type: RemoteIdentity.serviceType,
            port: NWEndpoint.Port(rawValue: UInt16(clamping: server.port)) ?? .any,
            txtRecord: NWTXTRecord(identity.txtRecord), using: parameters)
        self.announcement = announcement
        announcement.stateUpdateHandler = { [weak announcement] state in
            guard case .failed = state, let reason = announcement?.stateMessage else { return }
            log.notice("receivers' buttons are not heard", metadata: ["reason": "\(reason)"])
        }
        announcement.start(queue: DispatchQueue(label: "org.mdhost.airplay.remote"))
    }

    func close() async {
        announcement.cancel()
        await server.close()
    }

    /// Returns the interface with an address. Receivers on other interfaces couldn't reach it.
    private static func interface(of local: SocketAddress) -> NWInterface? {
        let devices = try? System.enumerateDevices()
        let name = devices?.first { $0.address?.ipAddress == local.ipAddress }?.name
        return name.flatMap { NWInterface(name: $0) }
    }
}
