import AirPlayProtocol
import Dispatch
import MediaDevice
import NIOCore
import ReverseConnections

/// Where receivers reach this machine's remote control at one of its addresses, and the announcement by which they find it.
final class RemoteListener: Sendable {
    let identity: RemoteIdentity
    let desk: RemoteDesk
    private let server: DeviceServer
    private let announcement: BonjourAnnouncement

    /// - Parameter local: An address of this machine.
    /// - Throws: NIO's errors, where nothing can listen there.
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

    /// The one that has the address: receivers beyond others could not reach it.
    private static func interface(of local: SocketAddress) -> NWInterface? {
        let devices = try? System.enumerateDevices()
        let name = devices?.first { $0.address?.ipAddress == local.ipAddress }?.name
        return name.flatMap { NWInterface(name: $0) }
    }
}
