import DBus
package import HostInterface

/// A connection to the page in the browser, over its own socket.
package struct PageClient: Sendable {
    private let client: HostClient

    /// Connects to the page, and starts it if it doesn't run.
    ///
    /// - Parameter launching: `true` if it may be started.
    /// - Returns: `nil` if it doesn't run and may not be started.
    /// - Throws: ``HostError`` `host-unavailable`.
    package static func connect(launching: Bool) async throws(HostError) -> PageClient? {
        let socket = try HostFolders.pageSocket
        for attempt in 0..<3 {
            do throws(HostError) {
                return PageClient(client: try await HostClient.connect(to: socket, launching: false))
            } catch {
                guard launching else { return nil }
                guard attempt < 2 else {
                    throw HostError(
                        .hostUnavailable, "The page doesn't answer; its log is \(try HostFolders.pageLog).",
                        remedy: "Look at the log, then try again.")
                }
                // A page server that was exiting makes the first start find its lock.
                try PageLauncher.launch()
            }
        }
        return nil
    }

    package init(client: HostClient) { self.client = client }

    package func close() async { await client.close() }

    /// Waits until the page has closed the connection.
    package func waitUntilClosed() async { await client.connection.waitUntilClosed() }

    @discardableResult
    private func call(
        _ member: String, _ arguments: [DBusValue] = []
    ) async throws(HostError) -> [DBusValue] {
        try await client.call(
            HostNames.pagePath, interface: HostNames.pageInterface, member, arguments, timeout: .seconds(15))
    }

    /// Returns a link that lets one browser in, once, within two minutes.
    ///
    /// - Parameters:
    ///   - application: The app whose picker the page is for that browser; `nil` for none.
    ///   - host: The host that the link names; `nil` for this computer.
    ///   - role: The role that the browser gets; `nil` for all rights.
    package func link(
        application: (identifier: String, name: String)? = nil, host: String? = nil, role: String? = nil
    ) async throws(HostError) -> String {
        var options: [String: DBusValue] = [:]
        options["application"] = application.map { .string($0.identifier) }
        options["name"] = application.map { .string($0.name) }
        options["host"] = host.map(DBusValue.string)
        options["role"] = role.map(DBusValue.string)
        guard let link = try await call("Link", [.options(options)]).first?.asString else {
            throw HostError(.internalFailure, "The page's answer cannot be understood.")
        }
        return link
    }

    /// Returns the browsers that may use the page, and those that wait for permission.
    package func browsers() async throws(HostError) -> [PageBrowserStatus] {
        let decoder = DBusDictionaryDecoder()
        return try await call("Browsers").first?.asArray?.compactMap {
            try? decoder.decode(PageBrowserStatus.self, from: $0)
        } ?? []
    }

    /// Removes a browser by identifier or name, and closes its page.
    ///
    /// - Returns: The identifier and the name.
    package func revoke(_ browser: String) async throws(HostError) -> (id: String, name: String) {
        let reply = try await call("Revoke", [.string(browser)])
        return (reply.first?.asString ?? "", reply.last?.asString ?? "")
    }

    /// Accepts a browser of the network that shows a code; refuses it if `role` is `nil`.
    ///
    /// - Returns: The browser's name.
    package func decide(_ code: String, role: String?) async throws(HostError) -> String {
        let reply =
            if let role { try await call("Allow", [.string(code), .string(role)]) } else {
                try await call("Refuse", [.string(code)])
            }
        return reply.first?.asString ?? ""
    }

    package func setEnabled(_ value: Bool) async throws(HostError) { try await call("SetEnabled", [.boolean(value)]) }

    /// Listens in the network as well, or on this computer alone.
    package func setInNetwork(_ value: Bool) async throws(HostError) {
        try await call("SetInNetwork", [.boolean(value)])
    }

    package func status() async throws(HostError) -> PageStatus {
        guard let value = try await call("Status").first,
            let status = try? DBusDictionaryDecoder().decode(PageStatus.self, from: value)
        else { throw HostError(.internalFailure, "The page's answer cannot be understood.") }
        return status
    }

    package func stop() async throws(HostError) { try await call("Stop") }
}

/// A browser as commands list it.
package struct PageBrowserStatus: Codable, Sendable, Hashable, Identifiable {
    /// Empty for a browser that waits for permission.
    package var id: String
    package var name: String
    /// Empty for a browser that waits for permission.
    package var role: String
    /// When it was last seen, in seconds since 1970; `nil` for a browser that waits for permission.
    package var seen: Double?
    /// The address of a browser that waits for permission.
    package var address: String?
    /// A Boolean value that indicates whether the browser shows the page now.
    package var isConnected: Bool

    package init(
        id: String, name: String, role: String, seen: Double?, address: String? = nil, isConnected: Bool = false
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.seen = seen
        self.address = address
        self.isConnected = isConnected
    }
}

/// The current settings of the page server.
package struct PageStatus: Codable, Sendable, Hashable {
    package var port: Int
    package var isEnabled: Bool
    package var isInNetwork: Bool

    package init(port: Int, isEnabled: Bool, isInNetwork: Bool) {
        self.port = port
        self.isEnabled = isEnabled
        self.isInNetwork = isInNetwork
    }
}
