import Foundation

/// The folders to watch, and the relevant names in them, so that no change of an extension is missed. It is a value
/// created from one examination of the disk.
///
/// The names prevent wake-ups by unrelated changes, in a folder of programs or above a missing folder.
struct WatchPlan: Sendable, Hashable {
    /// The relevant changes in one folder.
    struct Interest: Sendable, Hashable {
        /// A Boolean value that indicates whether every file is relevant, as in a bundle.
        var isWhole = false
        /// Files whose content matters.
        var files: Set<String> = []
        /// The names of which only creation and removal are relevant.
        var names: Set<String> = []
        /// The same for names that end so.
        var suffixes: Set<String> = []

        var hasFiles: Bool { isWhole || !files.isEmpty }

        func includes(_ name: String) -> Bool {
            isWhole || files.contains(name) || names.contains(name) || suffixes.contains { name.hasSuffix($0) }
        }
    }

    /// The maximum number of watched folders, so that a folder with many others doesn't use up the system's watches.
    static let limit = 512

    /// The interests by the folders' real paths.
    private(set) var interests: [String: Interest] = [:]

    /// - Parameter catalog: The result of searching `folders`.
    init(_ folders: [ExtensionCatalog.Folder], catalog: ExtensionCatalog) {
        for folder in folders {
            watchWay(to: folder.path)
            guard let path = Self.realPath(folder.path) else { continue }
            add(path) { interest in
                interest.suffixes.insert(".mdext")
                // A build puts its bundles into folders of this name.
                if folder.executableFolder == folder.path { interest.suffixes.insert(".resources") }
            }
        }
        for path in catalog.manifests.map(\.bundlePath) + catalog.invalid.map(\.path) where path.hasSuffix(".mdext") {
            guard let path = Self.realPath(path) else { continue }
            add(path) { $0.isWhole = true }
        }
        // Programs and manifests may be links to elsewhere: what they lead to is replaced there.
        for file in catalog.manifests.flatMap({ [$0.executablePath, $0.infoPath] }) {
            guard let path = Self.realPath(file), let slash = path.lastIndex(of: "/") else { continue }
            add(String(path[..<slash])) { $0.files.insert(String(path[path.index(after: slash)...])) }
        }
    }

    /// Watches for the creation and removal of a folder: in the last existing folder of its path, for the name that
    /// follows, and in that folder's parent, because it may be moved or be a link.
    private mutating func watchWay(to path: String) {
        var missing = (path as NSString).standardizingPath
        while missing.count > 1 {
            let parent = (missing as NSString).deletingLastPathComponent
            let name = (missing as NSString).lastPathComponent
            if let folder = Self.realPath(parent) {
                add(folder) { $0.names.insert(name) }
                return
            }
            missing = parent
        }
    }

    private mutating func add(_ path: String, _ change: (inout Interest) -> Void) {
        guard interests[path] != nil || interests.count < Self.limit else { return }
        change(&interests[path, default: Interest()])
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
