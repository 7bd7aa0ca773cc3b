import CProcess
import Confinement
import Foundation

/// The process that reads one medium. It ends with the socket it was given, or with the daemon.
struct ReaderProcess: Sendable {
    /// The outcome of a process.
    struct Outcome: Sendable {
        /// The end of what it printed.
        var output = ""
        /// The reason for which it failed, a clause; `nil` if it didn't.
        var failure: String?
    }

    private static let longestOutput = 512

    private let child: SpawnedChild
    private let messages: LauncherMessages

    /// - Parameter arguments: The launcher's, with the program.
    static func start(
        _ launcher: String, arguments: [String], environment: [String: String]
    ) async throws(SpawnedChild.Failure) -> Self {
        let child = try await SpawnedChild.start(launcher, arguments: arguments, environment: environment)
        return Self(child: child, messages: LauncherMessages(descriptor: child.messages))
    }

    /// Sends the request and a socket, and has the end awaited. Ends the process if that can't be done.
    ///
    /// - Parameter whenOver: A closure that is called once, unless an error is thrown.
    func serve(
        _ request: [UInt8], on socket: Int32, whenOver: @escaping @Sendable (Outcome) -> Void
    ) throws(SpawnedChild.Failure) {
        let sent = process_send_descriptor(child.link, request, request.count, socket)
        let reason = errno
        close(child.link)
        do throws(SpawnedChild.Failure) {
            guard sent == request.count else { throw SpawnedChild.Failure(code: reason) }
            _ = try DescriptorWatch(
                child.processDescriptor, label: "org.mdhost.reader", isOnce: true, onReadable: {},
                onCancel: { whenOver(reap()) })
        } catch {
            kill(child.processID, SIGKILL)
            _ = reap()
            throw error
        }
    }

    private func reap() -> Outcome {
        var status: Int32 = 0
        waitpid(child.processID, &status, 0)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = max(0, read(child.output, &buffer, buffer.count))
        close(child.output)
        close(child.processDescriptor)
        var outcome = Outcome(
            output: String(String(decoding: buffer[..<count], as: UTF8.self).suffix(Self.longestOutput)))
        if case .failed(let reason) = messages.take() {
            outcome.failure = reason
        } else if status != 0 {
            outcome.failure = ExtensionExit(waitStatus: status, hostReason: nil, banner: nil, wasAsked: false).clause
        }
        return outcome
    }
}
