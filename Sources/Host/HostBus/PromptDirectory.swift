import DBus
import HostCore
import HostInterface
import Synchronization

/// The pairing agents of clients (`org.mdhost.PairingAgent1`), similar to those of BlueZ.
///
/// A client's own agent gets its requests. Without one, the last registered agent gets them, so that a desktop's agent
/// serves programs that have none.
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
                throw HostError(.authorizationRequired, challenge.request(of: device.description.name))
            }
            return try await self.ask(agent, device, challenge)
        }
    }

    private func ask(_ agent: Agent, _ device: HostDevice, _ challenge: PairingChallenge) async throws -> String? {
        let reply: [DBusValue]
        do {
            reply = try await server.call(
                agent.client, path: agent.path, interface: HostNames.agentInterface, member: "RequestCode",
                [
                    .objectPath(HostNames.devicePath(device.id)), .string(device.description.name),
                    DBusDictionaryEncoder().encode(challenge),
                ], timeout: limit)
        } catch {
            let error = HostError(error)
            // Confirmed on the device itself, or its route was closed.
            if Task.isCancelled {
                await cancel(agent, device)
                throw HostError(.cancelled, "The pairing prompt is no longer needed.")
            }
            if error.code == .timedOut {
                await cancel(agent, device)
                throw HostError(.timedOut, "Nobody answered the pairing prompt.")
            }
            switch error.code {
            // The person cancelled, or left altogether.
            case .cancelled, .hostUnavailable: return nil
            // No person could enter it, or the input isn't a code.
            case .authorizationRequired, .invalidArgument: throw error
            // It has no other code than the wrong one.
            case .authorizationFailed where challenge.attemptsLeft != nil: throw error
            default: throw HostError(.authorizationRequired, "The pairing agent failed: \(error.message)")
            }
        }
        guard let code = reply.first?.asString else { return nil }
        // Some agents don't check the input, and a device may count its refusals.
        return try challenge.code(from: code)
    }

    private func cancel(_ agent: Agent, _ device: HostDevice) async {
        // A task of its own: in a cancelled one, no call is made.
        await Task { [server] in
            _ = try? await server.call(
                agent.client, path: agent.path, interface: HostNames.agentInterface, member: "Cancel",
                [.objectPath(HostNames.devicePath(device.id))], timeout: .seconds(1))
        }.value
    }
}
