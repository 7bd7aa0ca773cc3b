import DBus
import DeviceDiscovery
import Foundation

/// The process of an extension: link in, exit code out.
enum ExtensionProcess {
    private static let noLink: Int32 = 64
    private static let protocolFailure: Int32 = 76
    @MainActor private static var parentWatch: ParentWatch?

    @MainActor
    static func run(_ makeExtension: @escaping @MainActor () -> any MediaDeviceExtension) -> Never {
        guard let descriptor = LinkDescriptor.take() else {
            FileHandle.standardError.write(Data(startedByHand.utf8))
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
                let runtime = ExtensionRuntime(connection: connection)
                DiscoverySources.install(runtime.discoverySource)
                try await runtime.run(makeExtension)
            } catch {
                ExtensionLog.write("the link to the host failed: \(error)")
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

    private static var startedByHand: String {
        let name = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "This program"
        return """
            \(name) is a media device extension: mdhost starts it when it is needed.

            To have it found, put it into a folder NAME.mdext together with its Info.plist, and the folder into
            $XDG_DATA_HOME/mdhost/extensions (usually ~/.local/share/mdhost/extensions) or
            /usr/local/lib/mdhost/extensions. Then:

                mdhost extension list      shows whether mdhost finds and accepts it
                mdhost discover            shows the devices it finds

            """
    }
}
