import Foundation

/// Where a program's `Info.plist` is looked for.
///
/// In order: the file named by `MDHOST_INFO_PLIST`; beside the executable, as in an installed `Name.mdext` folder; in
/// `<executable>.mdext` or `<executable>.app` beside it; in any folder so named beside it, or in a resource folder of a
/// build, whose `CFBundleExecutable` is the executable.
package struct ProgramFolder: Sendable {
    /// Of the folders that hold an extension and an app.
    private static let suffixes = [".mdext", ".app"]

    /// The executable's path.
    package var executable: String
    /// The value of `MDHOST_INFO_PLIST`; `nil` if it is not set.
    package var namedPropertyList: String?

    package init(executable: String, namedPropertyList: String? = nil) {
        self.executable = executable
        self.namedPropertyList = namedPropertyList
    }

    /// The running program's.
    package static var current: ProgramFolder {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first
        return ProgramFolder(
            executable: path ?? "", namedPropertyList: ProcessInfo.processInfo.environment["MDHOST_INFO_PLIST"])
    }

    /// The first property list found; empty information if there is none.
    ///
    /// A list that is certainly the program's must be readable; one that belongs to a neighbour is passed over.
    package func information() throws(ProgramInformationError) -> ProgramInformation {
        if let namedPropertyList { return try read(namedPropertyList) }
        let folder = (executable as NSString).deletingLastPathComponent
        let name = (executable as NSString).lastPathComponent
        let beside = folder + "/Info.plist"
        if exists(beside) {
            let found = try read(beside)
            if found.executable == nil || found.executable == name { return found }
        }
        for suffix in Self.suffixes {
            let own = "\(folder)/\(name)\(suffix)/Info.plist"
            if exists(own) { return try read(own) }
        }
        let candidates =
            bundles(in: folder)
            + children(of: folder, suffix: ".resources").flatMap { bundles(in: $0) }
        for candidate in candidates {
            if let found = try? read(candidate), found.executable == name { return found }
        }
        return ProgramInformation()
    }

    private func bundles(in folder: String) -> [String] {
        Self.suffixes.flatMap { children(of: folder, suffix: $0) }.map { $0 + "/Info.plist" }.filter(exists)
    }

    private func children(of folder: String, suffix: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func read(_ path: String) throws(ProgramInformationError) -> ProgramInformation {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        guard size <= ProgramInformationError.greatestSize else {
            throw ProgramInformationError(path: path, reason: .tooLarge(size))
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ProgramInformationError(
                path: path, reason: .unreadable((error as NSError).localizedFailureReason ?? error.localizedDescription)
            )
        }
        return try ProgramInformation(propertyList: data, path: path)
    }
}
