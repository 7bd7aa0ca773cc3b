import Foundation

/// The program that confines itself and then becomes an extension.
package enum ConfinementLauncher {
    package static let name = "mdhost-confine"

    /// Its path: beside the running program, as in a build folder, or in the `lib/mdhost` beside that folder, or where
    /// a system has it.
    ///
    /// - Parameter executable: Absolute path of the running program, symbolic links resolved.
    /// - Returns: `nil` where it is missing; no extension is run then.
    package static func find(executable: String?) -> String? {
        folders(executable: executable).map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    private static func folders(executable: String?) -> [String] {
        let system = ["/usr/local/lib/mdhost", "/usr/lib/mdhost"]
        guard let executable, let slash = executable.lastIndex(of: "/") else { return system }
        let programs = String(executable[..<slash])
        return [programs, programs + "/../lib/mdhost"] + system
    }
}
