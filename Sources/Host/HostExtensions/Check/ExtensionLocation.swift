import Foundation
import HostInterface

/// Where an extension and its program are: found from a bundle, or from the folder of a package.
package struct ExtensionLocation: Sendable, Hashable {
    /// The `.mdext` folder, absolute.
    package let bundle: String
    /// Where its program is looked for when it is not in the bundle; `nil` for nowhere else.
    package let programs: String?
    /// Whether it is still to be installed: its bundle is a source.
    package let isPackage: Bool

    /// Depth below a package's folder down to which bundles are looked for: `Sources/TARGET/NAME.mdext`.
    private static let depth = 4

    /// - Parameters:
    ///   - path: A `.mdext` folder, or one with a `Package.swift`.
    ///   - programs: Where the package's program was built; `nil` for its `.build` folder.
    /// - Throws: ``HostError`` `invalid-argument` where there is none, or more than one.
    package static func find(_ path: String, programs: String? = nil) throws(HostError) -> ExtensionLocation {
        let path = URL(filePath: path).standardizedFileURL.path
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw HostError(.invalidArgument, "\(path) is no folder: give a NAME.mdext, or the folder of a package.")
        }
        if path.hasSuffix(".mdext") { return ExtensionLocation(bundle: path, programs: programs, isPackage: false) }
        let bundles = bundles(in: path, depth: depth)
        guard let bundle = bundles.first else {
            throw HostError(.invalidArgument, "There is no NAME.mdext folder in \(path).")
        }
        guard bundles.count == 1 else {
            throw HostError(
                .invalidArgument,
                "There are several extensions in \(path): give one of \(bundles.joined(separator: ", ")).")
        }
        return ExtensionLocation(bundle: bundle, programs: programs ?? latestBuild(path, bundle), isPackage: true)
    }

    private static func bundles(in folder: String, depth: Int) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
            let path = folder + "/" + name
            var isFolder = ObjCBool(false)
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                return []
            }
            if name.hasSuffix(".mdext") { return [path] }
            return depth > 1 ? bundles(in: path, depth: depth - 1) : []
        }
    }

    /// Of the folders SwiftPM builds into, the one with the newest of the bundle's programs.
    private static func latestBuild(_ package: String, _ bundle: String) -> String? {
        let list = try? PropertyListFile.dictionary(at: bundle + "/Info.plist")
        let program = list?["CFBundleExecutable"] as? String ?? ""
        let folders = ["debug", "release"].map { package + "/.build/" + $0 }
        func date(_ folder: String) -> Date? {
            (try? FileManager.default.attributesOfItem(atPath: folder + "/" + program))?[.modificationDate] as? Date
        }
        return folders.filter { !program.isEmpty && date($0) != nil }
            .max { (date($0) ?? .distantPast) < (date($1) ?? .distantPast) } ?? folders[0]
    }
}
