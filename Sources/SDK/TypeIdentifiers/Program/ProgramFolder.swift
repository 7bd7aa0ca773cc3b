import Foundation

/// The places in which a program's `Info.plist` is searched for.
///
/// These are, in order: the file named by `MDHOST_INFO_PLIST`; the folder of the executable, as in an installed
/// `Name.mdext` folder; the folder `<executable>.mdext` or `<executable>.app` next to it; any other folder of that kind
/// next to it, or a resource folder of a build, whose `CFBundleExecutable` is the executable.
package struct ProgramFolder: Sendable {
    /// The suffixes of the folders of extensions and apps.
    private static let suffixes = [".mdext", ".app"]

    /// The path of the executable.
    package var executable: String
    /// The value of `MDHOST_INFO_PLIST`; `nil` if it isn't set.
    package var namedPropertyList: String?

    package init(executable: String, namedPropertyList: String? = nil) {
        self.executable = executable
        self.namedPropertyList = namedPropertyList
    }

    /// The places for the running program.
    package static var current: ProgramFolder {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first
        return ProgramFolder(
            executable: path ?? "", namedPropertyList: ProcessInfo.processInfo.environment["MDHOST_INFO_PLIST"])
    }

    /// Returns the information from the first property list found; empty information if there is none.
    ///
    /// A list that certainly belongs to the program must be readable; one that belongs to a neighbor is ignored.
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
