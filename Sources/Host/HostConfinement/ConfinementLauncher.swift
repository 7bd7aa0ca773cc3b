import Foundation

/// The program that confines itself and then becomes an extension.
package enum ConfinementLauncher {
    package static let name = "mdhost-confine"

    /// Returns the launcher's path: next to the running program, as in a build folder, in the `lib/mdhost` next to that
    /// folder, or in a system folder.
    ///
    /// - Parameter executable: The absolute path of the running program, with symbolic links resolved.
    /// - Returns: The path; `nil` if the launcher is missing. No extension runs then.
    package static func find(executable: String?) -> String? { find(name, executable: executable) }

    /// Returns the path of another program that is installed in the same place; `nil` if it is missing.
    package static func find(_ program: String, executable: String?) -> String? {
        folders(executable: executable).map { $0 + "/" + program }.first { access($0, X_OK) == 0 }
    }

    private static func folders(executable: String?) -> [String] {
        let system = ["/usr/local/lib/mdhost", "/usr/lib/mdhost"]
        guard let executable, let slash = executable.lastIndex(of: "/") else { return system }
        let programs = String(executable[..<slash])
        return [programs, programs + "/../lib/mdhost"] + system
    }
}
