import CoreBluetooth
import DeviceDiscovery
import ExtensionFoundation
import ExtensionProgram

extension MediaDeviceExtension {
    /// Serves the host over the link that it passed, until the host closes it; then the process exits with 0.
    ///
    /// Without a host, as when the program is started by hand, it tells what to do and exits with 64. Exit codes follow
    /// `sysexits.h`: 64 no link, 76 the host does not understand the extension, or the other way round.
    @MainActor
    public static func main() throws {
        ExtensionProgram.run(label: "MediaDevice", advice: MediaDeviceAdvice.text) { connection in
            let runtime = ExtensionRuntime(connection: connection)
            DiscoverySources.install(runtime.discoverySource)
            BluetoothSources.install(runtime.centralSource)
            try await runtime.run { Self() }
        }
    }
}

/// What somebody reads who starts an extension by hand.
private enum MediaDeviceAdvice {
    static func text(_ program: String) -> String {
        """
        \(program) is a media device extension: mdhost starts it when it is needed.

        To have it found, put it into a folder NAME.mdext together with its Info.plist, and the folder into
        $XDG_DATA_HOME/mdhost/extensions (usually ~/.local/share/mdhost/extensions) or
        /usr/local/lib/mdhost/extensions. Then:

            mdhost extension list      shows whether mdhost finds and accepts it
            mdhost discover            shows the devices it finds

        """
    }
}
