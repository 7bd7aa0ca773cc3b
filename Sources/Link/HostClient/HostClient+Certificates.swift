import DBus
package import HostInterface

extension HostClient {
    /// Accepts any certificate of a media server from now on, or no longer.
    ///
    /// - Parameter server: An HTTPS address, or a host with or without a port.
    /// - Returns: Host and port.
    @discardableResult
    package func acceptCertificate(of server: String, _ isAccepted: Bool = true) async throws(HostError) -> String {
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "AcceptCertificate",
            [.string(server), .boolean(isAccepted)])
        return reply.first?.asString ?? server
    }

    /// The servers of which any certificate is accepted, as `host:port`.
    package func acceptedCertificates() async throws(HostError) -> [String] {
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "ListAcceptedCertificates")
        return reply.first?.asArray?.compactMap(\.asString) ?? []
    }
}
