import DBus
import HostCore
import HostInterface
import Synchronization

/// The pairing agents clients registered (`org.mdhost.PairingAgent1`), as BlueZ does it.
///
/// A request of a client goes to that client's own agent; without one, to the agent registered last, so that a desktop's
/// agent serves programs that have none.
final class PromptDirectory: Sendable {
    private struct Agent {
        let client: DBusClient
        let path: String
    }

    private let agents = Mutex<[Agent]>([])
    private let server: DBusObjectServer
    private let limit: Duration

    init(server: DBusObjectServer, limit: Duration) {
        self.server = server
        self.limit = limit
    }

    func register(_ client: DBusClient, path: String) {
        agents.withLock { agents in
            agents.removeAll { $0.client == client }
            agents.append(Agent(client: client, path: path))
        }
    }

    func unregister(_ client: DBusClient) {
        agents.withLock { $0.removeAll { $0.client == client } }
    }

    var isEmpty: Bool { agents.withLock(\.isEmpty) }

    func prompt(for client: DBusClient) -> PairingPrompt {
        { device, challenge in
            guard let agent = self.agents.withLock({ agents in agents.last { $0.client == client } ?? agents.last })
            else {
                throw HostError(
                    .authorizationRequired,
                    "\(device.description.name) asks for a \(challenge.method == .password ? "password" : "code").")
            }
            return try await self.ask(agent, device, challenge)
        }
    }

    private func ask(_ agent: Agent, _ device: HostDevice, _ challenge: PairingChallenge) async throws -> String? {
        do {
            let reply = try await server.call(
                agent.client, path: agent.path, interface: HostNames.agentInterface, member: "RequestCode",
                [
                    .objectPath(HostNames.devicePath(device.id)), .string(device.description.name),
                    DBusDictionaryEncoder().encode(challenge),
                ], timeout: limit)
            return reply.first?.asString
        } catch {
            let error = HostError(error)
            if error.code == .timedOut {
                _ = try? await server.call(
                    agent.client, path: agent.path, interface: HostNames.agentInterface, member: "Cancel",
                    [.objectPath(HostNames.devicePath(device.id))], timeout: .seconds(1))
                throw HostError(.timedOut, "Nobody answered the pairing prompt.")
            }
            guard error.code == .cancelled || error.code == .hostUnavailable else {
                throw HostError(.authorizationRequired, "The pairing agent does not work: \(error.message)")
            }
            // The person cancelled, or left altogether.
            return nil
        }
    }
}
