import DBus
import Foundation
import HostClient
import HostInterface
import Synchronization

/// Answers the daemon's pairing prompts for this command: on the terminal, or from a line of standard input; for as long as
/// this object lives.
final class PairingAgent: Sendable {
    private static let path = "/org/mdhost/client/agent"

    private let server: DBusObjectServer
    private let prompts = OpenPrompts()

    /// Registers the agent on the command's connection.
    init(on client: HostClient) async throws(HostError) {
        server = DBusObjectServer(loop: client.connection.loop, objectManagerPath: "/org/mdhost/client")
        let prompts = prompts
        let interface = DBusInterface(
            HostNames.agentInterface,
            methods: [
                .async(
                    "RequestCode", in: [("device", "o"), ("name", "s"), ("challenge", "a{sv}")], out: [("code", "s")]
                ) {
                    call in
                    guard call.arguments.count == 3, let name = call.arguments[1].asString else {
                        throw HostError(.invalidArgument, "The challenge does not fit.").asDBusError
                    }
                    let challenge = try DBusDictionaryDecoder().decode(PairingChallenge.self, from: call.arguments[2])
                    return [.string(try await prompts.answer(name, challenge))]
                },
                DBusMethod("Cancel", in: [("device", "o")], out: []) { call in
                    prompts.dismiss()
                    call.reply()
                },
            ])
        do {
            try await server.add(path: Self.path, [(interface, [:])])
            try await server.attach(client.connection)
        } catch {
            throw HostError(error)
        }
        try await client.call(
            HostNames.rootPath, interface: HostNames.managerInterface, "RegisterAgent", [.objectPath(Self.path)])
    }
}

extension PairingAgent {
    /// Takes back the questions on the terminal, as cancelled.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func dismissPrompts() -> Bool { prompts.dismiss() }

    /// The request of a device that was asked last; `nil` if none asked for anything.
    var lastRequest: PairingRequest? { prompts.last.withLock { $0 } }
}

/// What a device asked the person for.
struct PairingRequest: Sendable {
    /// The device's name.
    var name: String
    var method: PairingChallenge.Method
}

/// The questions on the terminal; one after the other, as people type.
private final class OpenPrompts: Sendable {
    private let open = Mutex<[CodePrompt]>([])
    let last = Mutex<PairingRequest?>(nil)

    /// - Throws: ``HostError`` `cancelled`; without a terminal `authorization-required`, or `invalid-argument` for a code of
    ///   the wrong shape.
    func answer(_ name: String, _ challenge: PairingChallenge) async throws -> String {
        last.withLock { $0 = PairingRequest(name: name, method: challenge.method) }
        let prompt = try CodePrompt(name: name, challenge: challenge)
        open.withLock { $0.append(prompt) }
        defer { open.withLock { $0.removeAll { $0 === prompt } } }
        do throws(HostError) {
            return try await prompt.ask()
        } catch {
            throw error.asDBusError
        }
    }

    @discardableResult
    func dismiss() -> Bool {
        let prompts = open.withLock { $0 }
        for prompt in prompts { prompt.dismiss() }
        return !prompts.isEmpty
    }
}
