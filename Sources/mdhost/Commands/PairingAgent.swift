import DBus
import Foundation
import HostClient
import HostInterface

/// Answers the daemon's pairing prompts for this command: on the terminal, or from a line of standard input; for as long as
/// this object lives.
final class PairingAgent: Sendable {
    private static let path = "/org/mdhost/client/agent"

    private let server: DBusObjectServer

    /// Registers the agent on the command's connection.
    init(on client: HostClient) async throws(HostError) {
        server = DBusObjectServer(loop: client.connection.loop, objectManagerPath: "/org/mdhost/client")
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
                    guard let code = await CodePrompt(name: name, challenge: challenge).ask() else {
                        throw HostError(.cancelled, "Cancelled.").asDBusError
                    }
                    return [.string(code)]
                },
                DBusMethod("Cancel", in: [("device", "o")], out: []) { $0.reply() },
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

/// Asks a person for a code or password.
struct CodePrompt: Sendable {
    let name: String
    let challenge: PairingChallenge

    /// - Returns: What was entered, without its end of line; `nil` when it was cancelled (Ctrl-C, Ctrl-D, empty line).
    ///
    /// Nothing is shown for a password. Without a terminal one line is read from standard input, so that a secret never
    /// has to be an argument.
    func ask() async -> String? {
        await withCheckedContinuation { continuation in
            // Reading a terminal blocks: not on a thread of the cooperative pool.
            Thread.detachNewThread { continuation.resume(returning: read()) }
        }
    }

    /// What is asked, in one line.
    var question: String {
        switch challenge.method {
        case .numericCode where challenge.length > 0:
            "\(challenge.length)-digit code shown on \(DisplayText.clean(name)): "
        case .numericCode: "Code shown on \(DisplayText.clean(name)): "
        case .password: "Password of \(DisplayText.clean(name)): "
        case .none: "Press Return once \(DisplayText.clean(name)) is confirmed: "
        }
    }

    private func read() -> String? {
        guard isatty(STDIN_FILENO) == 1 else {
            return challenge.method == .none ? readLine() : Self.entered(readLine())
        }
        let reason = DisplayText.clean(challenge.reason)
        if !reason.isEmpty { Terminal.errors.write(reason + "\n") }
        Terminal.errors.write(question)
        // Return alone says that it is done.
        guard challenge.method != .none else { return readLine() }
        guard challenge.method == .password else { return Self.entered(readLine()) }
        guard TerminalMode.change({ $0.c_lflag &= ~tcflag_t(ECHO) }) else { return nil }
        defer {
            TerminalMode.restore()
            Terminal.errors.write("\n")
        }
        return Self.entered(readLine())
    }

    private static func entered(_ line: String?) -> String? {
        guard let line, !line.isEmpty else { return nil }
        return line
    }
}
