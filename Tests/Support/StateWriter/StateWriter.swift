import Foundation
import HostCore
import HostInterface
import HostState
import Logging

/// Writes devices and credentials into the folder given as argument without end, naming each on standard output once
/// it is stored; ends with a line `error <code> <message>` when storing fails.
@main struct StateWriter {
    static func main() async {
        do {
            let store = try SQLiteStateStore(
                StateFile(folder: CommandLine.arguments[1]), logger: Logger(label: "writer"))
            for number in 0... {
                let identifier = UUID().uuidString
                let device = CachedDevice(
                    description: DeviceDescription(
                        id: identifier, name: "Device \(number)", capabilities: .urlPlayback, type: "tv",
                        volumeControl: .none, canMute: false, canGroup: false, supportsSimultaneousSessions: false,
                        endpoints: [], txt: [:]),
                    extensionIdentifier: "org.example.writer", lastSeen: Date())
                try await store.remember(device, network: "home")
                try await store.setCredential(Data("secret of \(identifier)".utf8), device: identifier)
                tell(identifier)
            }
        } catch {
            let error = error as? HostError
            tell("error \(error?.code.rawValue ?? "unknown") \(error?.message ?? "")")
        }
    }

    private static func tell(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
