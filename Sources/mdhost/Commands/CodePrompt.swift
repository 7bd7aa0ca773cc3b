import Foundation
import HostInterface
import Synchronization

/// Asks a person once for a code or password, until the input is in a valid form.
final class CodePrompt: Sendable {
    let name: String
    let challenge: PairingChallenge
    private let input: LineInput
    /// A Boolean value that indicates whether the cursor is behind the question.
    private let isAsking = Mutex(false)

    /// - Throws: ``HostError`` if this process is short of descriptors.
    init(name: String, challenge: PairingChallenge) throws(HostError) {
        self.name = DisplayText.clean(name)
        self.challenge = challenge
        input = try LineInput()
    }

    /// Asks without showing a password. Without a terminal, one line is read from standard input, so that a secret
    /// never has to be an argument.
    ///
    /// - Throws: ``HostError`` `cancelled` for Ctrl-D, an empty line and ``dismiss()``; without a terminal
    ///   `authorization-required` if standard input has no line, and `invalid-argument` if the line isn't a code.
    func ask() async throws(HostError) -> String {
        let result: Result<String, HostError> = await withCheckedContinuation { continuation in
            // Reading a terminal blocks: not on a thread of the cooperative pool.
            Thread.detachNewThread {
                continuation.resume(returning: Result { () throws(HostError) in try self.read() })
            }
        }
        return try result.get()
    }

    /// Takes the question back: it is answered as cancelled.
    func dismiss() {
        // The caller's next message must not end up behind the question.
        endQuestion()
        input.wake()
    }

    /// Begins a new line if the cursor still stands behind the question.
    private func endQuestion() {
        isAsking.withLock {
            if $0 { Terminal.errors.write("\n") }
            $0 = false
        }
    }

    /// The question, in one line. The device's own sentence above it says where to find the code.
    var question: String {
        switch challenge.method {
        case .numericCode where challenge.length > 0: "\(challenge.length)-digit code for \(name): "
        case .numericCode: "Code for \(name): "
        case .password: "Password for \(name): "
        case .none: "Press Return once \(name) is confirmed: "
        }
    }

    private func read() throws(HostError) -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            switch input.next() {
            case .line(let text) where !text.isEmpty || challenge.method == .none: return try challenge.code(from: text)
            // A script has one code and needs to know whether it was wrong.
            case .line where challenge.attemptsLeft != nil, .end where challenge.attemptsLeft != nil:
                throw HostError(.authorizationFailed, "No other code was entered.")
            case .line, .end: throw HostError(.authorizationRequired, challenge.request(of: name))
            case .woken: throw Self.cancelled
            }
        }
        let reason = DisplayText.clean(challenge.reason)
        if !reason.isEmpty { Terminal.errors.write(reason + "\n") }
        while true {
            let line = try ask(hidden: challenge.method == .password)
            // Return alone says that it is done.
            if line.isEmpty, challenge.method != .none { throw Self.cancelled }
            do throws(HostError) {
                return try challenge.code(from: line)
            } catch {
                Terminal.errors.write(error.message + "\n")
            }
        }
    }

    private func ask(hidden: Bool) throws(HostError) -> String {
        isAsking.withLock {
            Terminal.errors.write(question)
            $0 = true
        }
        if hidden, !TerminalMode.change({ $0.c_lflag &= ~tcflag_t(ECHO) }) { throw Self.cancelled }
        let answer = input.next()
        if hidden { TerminalMode.restore() }
        guard case .line(let text) = answer else {
            endQuestion()
            throw Self.cancelled
        }
        // The Return of a hidden line is hidden, too.
        if hidden { endQuestion() } else { isAsking.withLock { $0 = false } }
        return text
    }

    private static let cancelled = HostError(.cancelled, "Cancelled.")
}
