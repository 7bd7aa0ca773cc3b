import HostClient
import HostInterface
import Synchronization

/// Answers the daemon's pairing prompts for a command: on the terminal, or from a line of standard input; one after the
/// other, as people type.
final class TerminalPrompts: PromptAnswering {
    private let open = Mutex<[CodePrompt]>([])
    private let last = Mutex<PairingRequest?>(nil)

    /// The latest request of a device; `nil` if there was none.
    var lastRequest: PairingRequest? { last.withLock { $0 } }

    /// - Throws: ``HostError`` `cancelled`; without a terminal `authorization-required`, or `invalid-argument` for a code of
    ///   the wrong shape.
    func answer(device: String, name: String, _ challenge: PairingChallenge) async throws(HostError) -> String {
        last.withLock { $0 = PairingRequest(name: name, method: challenge.method) }
        let prompt = try CodePrompt(name: name, challenge: challenge)
        open.withLock { $0.append(prompt) }
        defer { open.withLock { $0.removeAll { $0 === prompt } } }
        return try await prompt.ask()
    }

    func cancel(device: String) { dismiss() }

    /// Cancels the questions on the terminal.
    ///
    /// - Returns: Whether a question was open.
    @discardableResult
    func dismiss() -> Bool {
        let prompts = open.withLock { $0 }
        for prompt in prompts { prompt.dismiss() }
        return !prompts.isEmpty
    }
}

/// A device's request for the person's input.
struct PairingRequest: Sendable {
    /// The device's name.
    var name: String
    var method: PairingChallenge.Method
}
