import DBus
package import HostInterface

/// Answers the pairing prompts that a ``PairingAgent`` receives.
package protocol PromptAnswering: Sendable {
    /// Returns the code that a person entered, empty for a confirmation.
    ///
    /// - Parameters:
    ///   - device: The identifier of the device.
    ///   - name: The name of the device.
    /// - Throws: ``HostError`` `cancelled`, or `authorization-required` if nobody can be asked.
    func answer(device: String, name: String, _ challenge: PairingChallenge) async throws(HostError) -> String
    /// Takes back the prompt for a device.
    func cancel(device: String)
}

/// Receives the daemon's pairing prompts on a client's connection for as long as this object lives.
package final class PairingAgent: Sendable {
    private static let path = "/org/mdhost/client/agent"

    private let server: DBusObjectServer
    private let client: HostClient

    /// Exports the agent on the client's connection, and registers it.
    package convenience init(on client: HostClient, answering prompts: some PromptAnswering) async throws(HostError) {
        try await self.init(exportedOn: client, answering: prompts)
        try await register()
    }

    /// Exports the agent without registering it; see ``register()``.
    package init(exportedOn client: HostClient, answering prompts: some PromptAnswering) async throws(HostError) {
        self.client = client
        server = DBusObjectServer(loop: client.connection.loop, objectManagerPath: "/org/mdhost/client")
        let interface = DBusInterface(
            HostNames.agentInterface,
            methods: [
                .async(
                    "RequestCode", in: [("device", "o"), ("name", "s"), ("challenge", "a{sv}")], out: [("code", "s")]
                ) {
                    call in
                    guard call.arguments.count == 3, let path = call.arguments[0].asString,
                        let name = call.arguments[1].asString
                    else { throw HostError(.invalidArgument, "The challenge does not fit.").asDBusError }
                    let challenge = try DBusDictionaryDecoder().decode(PairingChallenge.self, from: call.arguments[2])
                    do throws(HostError) {
                        let device = HostNames.deviceIdentifier(path)
                        return [.string(try await prompts.answer(device: device, name: name, challenge))]
                    } catch {
                        throw error.asDBusError
                    }
                },
                DBusMethod("Cancel", in: [("device", "o")], out: []) { call in
                    prompts.cancel(device: HostNames.deviceIdentifier(call.arguments.first?.asString ?? ""))
                    call.reply()
                },
            ])
        do {
            try await server.add(path: Self.path, [(interface, [:])])
            try await server.attach(client.connection)
        } catch {
            throw HostError(error)
        }
    }

    /// Registers the agent. From now on it also receives the prompts of clients without an agent.
    package func register() async throws(HostError) {
        try await client.call(
            HostNames.rootPath, interface: HostNames.managerInterface, "RegisterAgent", [.objectPath(Self.path)])
    }

    package func unregister() async throws(HostError) {
        try await client.call(
            HostNames.rootPath, interface: HostNames.managerInterface, "UnregisterAgent", [.objectPath(Self.path)])
    }
}
