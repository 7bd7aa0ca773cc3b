import DBus
import HostInterface

/// A media app as a client sees it.
package struct ClientApplication: Codable, Sendable, Hashable, Identifiable {
    package var identifier: String
    package var name: String
    /// The identifiers of the protocols that it supports.
    package var protocols: [String]
    /// A Boolean value that indicates whether it plays URLs on any device.
    package var universalURLPlayback: Bool

    package var id: String { identifier }
}

extension HostClient {
    /// Returns the registered media apps.
    package func applications() async throws(HostError) -> [ClientApplication] {
        let reply = try await call(HostNames.rootPath, interface: HostNames.managerInterface, "ListApplications")
        let decoder = DBusDictionaryDecoder()
        return reply.first?.asArray?.compactMap { try? decoder.decode(ClientApplication.self, from: $0) } ?? []
    }
}
