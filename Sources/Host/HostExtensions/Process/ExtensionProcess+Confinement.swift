import Confinement
import Foundation
import HostConfinement

extension ExtensionProcess {
    func notStarted(_ reason: String) -> ExtensionLaunchError {
        .notStarted("\(launch.manifest.executablePath) cannot be started: \(reason)")
    }

    func takeMessage() -> LauncherMessage? {
        defer { messages = nil }
        return messages?.take()
    }

    var policy: ConfinementPolicy {
        ConfinementPolicy(
            launch.manifest,
            libraries: ProgramLibraries.find(of: launch.manifest.executablePath)
                + [ProgramLibraries.ownRuntimeFolder].compactMap { $0 },
            stateDirectory: launch.stateDirectory, parent: getpid())
    }

    var environment: [String: String] {
        ExtensionEnvironment.make(
            from: launch.environment, infoPath: launch.manifest.infoPath, stateDirectory: launch.stateDirectory,
            additional: launch.additionalEnvironment)
    }
}
