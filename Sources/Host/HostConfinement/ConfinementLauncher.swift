import HostClient

/// The program that confines itself and then becomes an extension.
package enum ConfinementLauncher {
    package static let name = "mdhost-confine"

    /// Returns the launcher's path; see ``InstalledPrograms/find(_:executable:)``. Without it no extension runs.
    package static func find(_ name: String = name, executable: String?) -> String? {
        InstalledPrograms.find(name, executable: executable)
    }
}
