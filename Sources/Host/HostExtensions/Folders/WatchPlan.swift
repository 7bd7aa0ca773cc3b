import Foundation

/// Which folders to watch, and which names in them matter, so that no change of an extension is missed; a value made by
/// looking at the disk once.
///
/// The names keep the daemon asleep where others work: in a folder of programs, or above a folder that is not there yet.
struct WatchPlan: Sendable, Hashable {
    /// What matters in one folder.
    struct Interest: Sendable, Hashable {
        /// Whether every file matters: a bundle.
        var isWhole = false
        /// Files whose content matters.
        var files: Set<String> = []
        /// What matters only by coming and going.
        var names: Set<String> = []
        /// The same for names that end so.
        var suffixes: Set<String> = []

        var hasFiles: Bool { isWhole || !files.isEmpty }

        func includes(_ name: String) -> Bool {
            isWhole || files.contains(name) || names.contains(name) || suffixes.contains { name.hasSuffix($0) }
        }
    }

    /// More are not watched: a folder full of other things is no reason to use up the system's watches.
    static let limit = 512

    /// By the folder's real path.
    private(set) var interests: [String: Interest] = [:]

    /// - Parameter catalog: What a search of `folders` found.
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

    /// Has the folder's appearance and disappearance noticed: watches the last folder of its path that exists, for the
    /// name that follows, and its parent, should the folder itself be moved or be a link.
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
