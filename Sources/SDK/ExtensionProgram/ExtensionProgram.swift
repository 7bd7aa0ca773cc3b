import DBus
import Foundation

/// The process of an extension: link in, exit code out.
package enum ExtensionProgram {
    private static let noLink: Int32 = 64
    private static let protocolFailure: Int32 = 76
    @MainActor private static var parentWatch: ParentWatch?

    /// Serves the link the host passed until it is closed; then the process exits with 0.
    ///
    /// Without a link, as when the program is started by hand, it prints `advice` and exits with 64; with 76 where `serve`
    /// throws.
    /// - Parameters:
    ///   - label: The SDK's module, as the log names it.
    ///   - advice: What somebody who started the program by hand should do, with the program's name.
    ///   - serve: Returns when the link is closed.
    @MainActor
    package static func run(
        label: String, advice: (_ program: String) -> String,
        serve: @escaping @MainActor (DBusConnection) async throws -> Void
    ) -> Never {
        guard let descriptor = LinkDescriptor.take() else {
            let name = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent }
            FileHandle.standardError.write(Data(advice(name ?? "This program").utf8))
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
        // Not dispatchMain(): it ends the main thread, and the process would show as defunct.
        while true { RunLoop.main.run() }
    }

    /// Author's code that never returns on the main actor must not keep the process after its host.
    private static func exitSoonAfterClose(of connection: DBusConnection) {
        Task.detached {
            await connection.waitUntilClosed()
            try? await Task.sleep(for: .seconds(2))
            _exit(0)
        }
    }
}
