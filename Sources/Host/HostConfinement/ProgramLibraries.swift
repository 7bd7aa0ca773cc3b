import Foundation

/// Finds the libraries that a program loads from outside the system folders, as the dynamic loader does.
///
/// It returns files, not folders: a program whose library folder is a home directory must not get access to all of it.
package enum ProgramLibraries {
    private static let largestCount = 256

    /// Returns the libraries of a program.
    ///
    /// - Parameter program: An absolute path. A script has no libraries.
    /// - Returns: Absolute paths with symbolic links resolved: the program's loader, if it names one, and then each
    ///   library once.
    package static func find(of program: String) -> [String] {
        guard let program = realPath(program), let object = ELFObject(path: program) else { return [] }
        var found = [object.interpreter].compactMap { $0.flatMap(realPath) }.filter { ELFObject(path: $0) != nil }
        var waiting = [(path: program, object: object)]
        while !waiting.isEmpty, found.count < largestCount {
            let (path, object) = waiting.removeFirst()
            let origin = (path as NSString).deletingLastPathComponent
            let folders = object.searchFolders.map {
                $0.replacingOccurrences(of: "$ORIGIN", with: origin)
                    .replacingOccurrences(of: "${ORIGIN}", with: origin)
            }
            for name in object.needed where !name.contains("/") {
                for folder in folders where folder.hasPrefix("/") {
                    guard let library = realPath(folder + "/" + name), let object = ELFObject(path: library),
                        object.isLibrary
                    else { continue }
                    guard !found.contains(library) else { break }
                    found.append(library)
                    waiting.append((library, object))
                    break
                }
            }
        }
        return found
    }

    /// The folder of this process's Swift runtime, for programs started by an extension's script; `nil` if it is linked
    /// statically.
    package static let ownRuntimeFolder: String? = find(of: "/proc/self/exe").first { $0.hasSuffix("/libswiftCore.so") }
        .map { ($0 as NSString).deletingLastPathComponent }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
