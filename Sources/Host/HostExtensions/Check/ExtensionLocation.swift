import Foundation
package import HostInterface

/// The location of an extension and its program, found from a bundle or a package folder.
package struct ExtensionLocation: Sendable, Hashable {
    /// The `.mdext` folder, absolute.
    package let bundle: String
    /// The folder in which to find a program that isn't in its bundle; `nil` for none.
    package let programs: String?
    /// A Boolean value that indicates whether the bundle is part of a package's sources, and not installed yet.
    package let isPackage: Bool

    /// Depth below a package's folder down to which bundles are looked for: `Sources/TARGET/NAME.mdext`.
    private static let depth = 4

    /// Returns the location of the extension at a path.
    ///
    /// - Parameters:
    ///   - path: A `.mdext` folder, or one with a `Package.swift`.
    ///   - programs: The folder with the package's built program; `nil` for its `.build` folder.
    /// - Throws: ``HostError`` `invalid-argument` unless there is exactly one extension.
    package static func find(_ path: String, programs: String? = nil) throws(HostError) -> ExtensionLocation {
        let path = URL(filePath: path).standardizedFileURL.path
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw HostError(.invalidArgument, "\(path) isn't a folder. Specify a NAME.mdext or a package folder.")
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

    /// Returns the SwiftPM build folder with the newest of the bundle's programs.
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
