import CDispatchPacing  // for its effect
import CProgramMemory
package import DBus
import Dispatch
import Foundation

/// The process of an extension, from the inherited link to the exit status.
package enum ExtensionProgram {
    private static let noLink: Int32 = 64
    private static let protocolFailure: Int32 = 76
    /// The time after which the pages that only the start needs are released.
    private static let start = DispatchTimeInterval.seconds(10)
    @MainActor private static var parentWatch: ParentWatch?

    /// Serves the link that the host passed until it closes, and then exits with status 0.
    ///
    /// Without a link, for example in a shell, it prints `advice` and exits with status 64. It exits with status 76 if
    /// `serve` throws.
    /// - Parameters:
    ///   - label: The SDK's module, for the log.
    ///   - advice: A function that returns instructions for a person who runs the program in a shell.
    ///   - serve: A function that returns when the link has closed.
    @MainActor
    package static func run(
        label: String, advice: (_ program: String) -> String,
        serve: @escaping @MainActor (DBusConnection) async throws -> Void
    ) -> Never {
        guard let descriptor = LinkDescriptor.take() else {
            let name = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent }
            try? FileHandle.standardError.write(contentsOf: Data(advice(name ?? "This program").utf8))
            exit(noLink)
        }
        // A device that closes its connection is an error of that connection, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        parentWatch = ParentWatch()
        let connection = DBusConnection(loop: DBusLoop(label: "org.mdhost.extension.link"))
        Task { @MainActor in
            do {
                try await connection.openPeer(fileDescriptor: descriptor, role: .client)
                exitSoonAfterClose(of: connection)
                try await serve(connection)
            } catch {
                ExtensionLog.write("the link to the host failed: \(error)", label: label)
                exit(protocolFailure)
            }
            exit(0)
        }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + start) { program_memory_release() }
        // Not dispatchMain(): it ends the main thread, and the process would show as defunct.
        while true { RunLoop.main.run() }
    }

    /// Exits soon after the host closed the link, even if the author's code blocks the main actor.
    private static func exitSoonAfterClose(of connection: DBusConnection) {
        Task.detached {
            await connection.waitUntilClosed()
            try? await Task.sleep(for: .seconds(2))
            _exit(0)
        }
    }
}
