import Dispatch
import Foundation
import HostInterface

/// Asks a person at a terminal whether to do something.
enum ConfirmationPrompt {
    /// A Boolean value that indicates whether a person at a terminal can answer.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && Terminal.errors.isInteractive }

    /// Asks once; any answer but “y” and “yes” declines.
    ///
    /// - Throws: ``HostError`` `cancelled` with the message, if the person declines or presses Ctrl-C or Ctrl-D.
    static func confirm(_ question: String, orElse message: String) async throws(HostError) {
        let input = try LineInput()
        signal(SIGINT, SIG_IGN)
        let interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interrupts.setEventHandler { input.wake() }
        interrupts.resume()
        defer {
            interrupts.cancel()
            signal(SIGINT, SIG_DFL)
        }
        Terminal.errors.write(question + " [y/N] ")
        let answer = await withCheckedContinuation { continuation in
            // Reading a terminal blocks: not on a thread of the cooperative pool.
            Thread.detachNewThread { continuation.resume(returning: input.next()) }
        }
        guard case .line(let text) = answer else {
            Terminal.errors.write("\n")
            throw HostError(.cancelled, message)
        }
        let word = text.trimmingCharacters(in: .whitespaces).lowercased()
        guard word == "y" || word == "yes" else { throw HostError(.cancelled, message) }
    }
}
