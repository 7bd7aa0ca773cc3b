package import Confinement
import Foundation
import HostConfinement

extension ConfinementPolicy {
    /// Creates the policy for an extension.
    ///
    /// - Parameters:
    ///   - libraries: The program's libraries outside the system folders.
    ///   - stateDirectory: The extension's own folder.
    package init(_ manifest: ExtensionManifest, libraries: [String], stateDirectory: String, parent: Int32) {
        self.init(parent: parent)
        places = Self.system
        places += [Place(manifest.bundlePath, .run), Place(manifest.executablePath, .run)]
        // The resources of a Swift package lie in one folder, the bundle among them.
        let enclosing = (manifest.bundlePath as NSString).deletingLastPathComponent
        if enclosing.hasSuffix(".resources") { places.append(Place(enclosing, .read)) }
        places += libraries.map { Place($0, .run) }
        places.append(Place(stateDirectory, .write))
        ports = manifest.listeningPorts
        takesConnections = manifest.takesReverseConnections
        startsProcesses = manifest.runsPrograms
    }
}
