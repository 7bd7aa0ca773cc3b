import Foundation
import HostInterface

/// The installed extensions on this machine, usable or not, as found by a search of the folders.
package struct ExtensionCatalog: Sendable, Hashable {
    /// A bundle or folder that can't be used.
    package struct Invalid: Sendable, Hashable {
        package let path: String
        package let error: ExtensionManifestError

        package init(path: String, error: ExtensionManifestError) {
            self.path = path
            self.error = error
        }
    }

    /// Usable ones, in search order, then by folder name; identifiers are unique.
    package let manifests: [ExtensionManifest]
    package let invalid: [Invalid]

    package init(manifests: [ExtensionManifest], invalid: [Invalid] = []) {
        self.manifests = manifests
        self.invalid = invalid
    }

    package subscript(identifier: String) -> ExtensionManifest? {
        manifests.first { $0.identifier == identifier }
    }
}

extension ExtensionCatalog {
    /// A folder whose `*.mdext` children are extensions.
    package struct Folder: Sendable, Hashable {
        package let path: String
        /// The folder in which to find a program that isn't in its bundle.
        package let executableFolder: String?

        package init(path: String, executableFolder: String? = nil) {
            self.path = path
            self.executableFolder = executableFolder
        }
    }

    /// Returns the folders to search, in order: `MDHOST_EXTENSION_PATH` (separated by colons),
    /// `$XDG_DATA_HOME/mdhost/extensions`, the folder of the running program and the resource folders that SwiftPM
    /// copied into it, `lib/mdhost/extensions` next to that folder, `/usr/local/lib/mdhost/extensions`,
    /// `/usr/lib/mdhost/extensions`.
    ///
    /// - Parameter executable: The absolute path of the running program, with symbolic links resolved; `nil` to omit
    ///   its folders.
    package static func standardFolders(environment: [String: String], executable: String?) -> [Folder] {
        var folders = (environment["MDHOST_EXTENSION_PATH"] ?? "").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map { Folder(path: String($0)) }
        if let data = UserFolders(environment).data {
            folders.append(Folder(path: data + "/mdhost/extensions"))
        }
        if let executable, let slash = executable.lastIndex(of: "/") {
            let programs = String(executable[..<slash])
            folders.append(Folder(path: programs, executableFolder: programs))
            folders += resourceFolders(in: programs).map { Folder(path: $0, executableFolder: programs) }
            folders.append(Folder(path: programs + "/../lib/mdhost/extensions"))
        }
        folders.append(Folder(path: "/usr/local/lib/mdhost/extensions"))
        folders.append(Folder(path: "/usr/lib/mdhost/extensions"))
        return folders
    }

    /// Reads every bundle in `folders`. Of several with one identifier, the first is used. Missing folders aren't
    /// errors.
    package static func scan(_ folders: [Folder]) -> ExtensionCatalog {
        var manifests: [ExtensionManifest] = []
        var invalid: [Invalid] = []
        var seenFolders: Set<String> = []
        for folder in folders {
            guard let path = realPath(folder.path), seenFolders.insert(path).inserted else { continue }
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: path)
            } catch {
                let error = ExtensionManifestError(file: path, .unreadable("no permission to list the folder"))
                invalid.append(Invalid(path: path, error: error))
                continue
            }
            for name in names.sorted() where name.hasSuffix(".mdext") {
                let bundle = path + "/" + name
                do throws(ExtensionManifestError) {
                    let manifest = try ExtensionManifest.read(
                        bundle: bundle, executableFolder: folder.executableFolder)
                    if let reason = clash(of: manifest, with: manifests) {
                        throw ExtensionManifestError(file: manifest.infoPath, key: "CFBundleIdentifier", reason)
                    }
                    manifests.append(manifest)
                } catch {
                    invalid.append(Invalid(path: bundle, error: error))
                }
            }
        }
        return ExtensionCatalog(manifests: manifests, invalid: invalid)
    }

    private static func clash(
        of manifest: ExtensionManifest, with others: [ExtensionManifest]
    ) -> ExtensionManifestError.Reason? {
        let path = HostNames.extensionPath(manifest.identifier)
        guard let first = others.first(where: { HostNames.extensionPath($0.identifier) == path }) else { return nil }
        return first.identifier == manifest.identifier
            ? .duplicateIdentifier(identifier: manifest.identifier, first: first.bundlePath)
            : .similarIdentifier(
                identifier: manifest.identifier, other: first.identifier, first: first.bundlePath)
    }

    /// ``scan(_:)`` away from the caller's actor: a folder may be on a disk that takes its time.
    package nonisolated static func search(_ folders: [Folder]) async -> ExtensionCatalog { scan(folders) }

    /// Returns this catalog with the state of the bundle at `path` in `other`.
    package func replacing(_ path: String, from other: ExtensionCatalog) -> ExtensionCatalog {
        var manifests = manifests.filter { $0.bundlePath != path }
        for (index, manifest) in other.manifests.enumerated() where manifest.bundlePath == path {
            // Behind the nearest one that is before it there.
            let earlier = Set(other.manifests[..<index].map(\.bundlePath))
            manifests.removeAll { $0.identifier == manifest.identifier }
            let place = manifests.lastIndex { earlier.contains($0.bundlePath) }.map { $0 + 1 } ?? 0
            manifests.insert(manifest, at: place)
        }
        return ExtensionCatalog(
            manifests: manifests,
            invalid: invalid.filter { $0.path != path } + other.invalid.filter { $0.path == path })
    }

    private static func resourceFolders(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".resources") }.sorted().map { folder + "/" + $0 }
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
