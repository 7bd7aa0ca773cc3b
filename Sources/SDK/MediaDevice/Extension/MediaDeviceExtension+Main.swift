import CoreBluetooth
import DeviceDiscovery
import ExtensionFoundation
import ExtensionProgram

extension MediaDeviceExtension {
    /// Serves the host over the inherited link until the host closes it, and then exits with status 0.
    ///
    /// Without a host, for example in a shell, it prints instructions and exits with status 64. The statuses follow
    /// `sysexits.h`: 64 without a link, 76 if the host and the extension don't understand each other.
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

/// The instructions for a person who runs an extension in a shell.
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
