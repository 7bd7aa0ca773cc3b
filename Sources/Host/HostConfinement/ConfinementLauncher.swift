import Foundation

/// The program that confines itself and then becomes an extension.
package enum ConfinementLauncher {
    package static let name = "mdhost-confine"

    /// Returns the launcher's path: next to the running program, as in a build folder, in the `lib/mdhost` next to that
    /// folder, or in a system folder.
    ///
    /// - Parameters:
    ///   - name: Another program that is installed in the same place.
    ///   - executable: The absolute path of the running program, with symbolic links resolved.
    /// - Returns: The path; `nil` if the program is missing. Without the launcher no extension runs.
    package static func find(_ name: String = name, executable: String?) -> String? {
        folders(executable: executable).map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    private static func folders(executable: String?) -> [String] {
        let system = ["/usr/local/lib/mdhost", "/usr/lib/mdhost"]
        guard let executable, let slash = executable.lastIndex(of: "/") else { return system }
        let programs = String(executable[..<slash])
        return [programs, programs + "/../lib/mdhost"] + system
    }
}
