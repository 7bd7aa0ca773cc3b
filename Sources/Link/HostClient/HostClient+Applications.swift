import DBus
package import HostInterface

/// A media app as a client sees it.
package struct ClientApplication: Codable, Sendable, Hashable, Identifiable {
    package var identifier: String
    package var name: String
    /// The identifiers of the protocols that it supports.
    package var protocols: [String]
    /// A Boolean value that indicates whether it plays URLs on any device.
    package var universalURLPlayback: Bool
    /// The object path of the device that it is routed to; `nil` for none.
    package var device: String?

    package var id: String { identifier }
}

extension HostClient {
    /// Returns the registered media apps.
    package func applications() async throws(HostError) -> [ClientApplication] {
        let reply = try await call(HostNames.rootPath, interface: HostNames.managerInterface, "ListApplications")
        let decoder = DBusDictionaryDecoder()
        return reply.first?.asArray?.compactMap { try? decoder.decode(ClientApplication.self, from: $0) } ?? []
    }

    /// Opens the page as an app's picker.
    ///
    /// - Parameters:
    ///   - application: The identifier or name of the app; empty for this one.
    ///   - opens: `true` to open a browser.
    /// - Returns: The link that lets a browser in; it is used if a browser was opened.
    @discardableResult
    package func showPicker(application: String = "", opens: Bool = true) async throws(HostError) -> String {
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "ShowPicker",
            [.string(application), .options(["open": .boolean(opens)])], timeout: .seconds(40))
        return reply.first?.asString ?? ""
    }
}
