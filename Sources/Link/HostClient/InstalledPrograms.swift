import Foundation
package import HostInterface

/// The places where programs of this project are installed.
package enum InstalledPrograms {
    /// The absolute path of the running program, with symbolic links resolved.
    package static var own: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// Returns a program's path: next to the running program, as in a build folder, in the `lib/mdhost` next to that
    /// folder, or in a system folder.
    ///
    /// - Parameter executable: The absolute path of the running program, with symbolic links resolved.
    /// - Returns: The path; `nil` if the program is missing.
    package static func find(_ name: String, executable: String? = own) -> String? {
        folders(executable: executable).map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    private static func folders(executable: String?) -> [String] {
        let system = ["/usr/local/lib/mdhost", "/usr/lib/mdhost"]
        guard let executable, let slash = executable.lastIndex(of: "/") else { return system }
        let programs = String(executable[..<slash])
        return [programs, programs + "/../lib/mdhost"] + system
    }
}

extension InstalledPrograms {
    /// Replaces this process by another program, with this one's environment and descriptors.
    ///
    /// - Parameter words: The arguments after the program's name.
    /// - Returns: The reason why it can't.
    package static func become(_ name: String, _ words: [String]) -> HostError {
        guard let path = find(name) else {
            return HostError(.internalFailure, "The program \(name) isn't installed beside mdhost.")
        }
        var pointers = ([path] + words).map { strdup($0) } + [nil]
        execv(path, &pointers)
        let reason = String(cString: strerror(errno))
        for pointer in pointers { free(pointer) }
        return HostError(.internalFailure, "Couldn't start \(path): \(reason).")
    }
}
