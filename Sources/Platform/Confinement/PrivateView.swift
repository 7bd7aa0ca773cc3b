import CProcess
import Glibc

/// A file system in which only the places of a policy exist: the names, sizes and times of other files can't be asked for.
///
/// A namespace of mounts with an empty root, in which each place is mounted under its own path. What the kernel or a
/// container refuses is taken back as a whole: then everything stays as it was.
enum PrivateView {
    /// - Returns: Whether the rest is out of sight.
    static func enter(_ places: [ConfinementPolicy.Place]) -> Bool {
        guard confinement_enter_mount_namespace() == 0 else { return false }
        let folder = currentFolder()
        var layout = ViewLayout(FileSystemNames())
        for place in places { layout.add(place) }
        // Before anything is mounted over one of them.
        let mounts = layout.mounts
        let sources = mounts.map { confinement_open_path($0.path) }
        defer { for source in sources where source >= 0 { close(source) } }
        guard confinement_mount_memory(base) == 0 else { return false }
        guard build(layout.entries, mounts, sources), confinement_restrict(base, confinement_view_read_only, 0) == 0,
            confinement_change_root(base) == 0
        else {
            _ = confinement_unmount(base)
            return false
        }
        if chdir(folder) != 0 { _ = chdir("/") }
        return true
    }

    /// Where the new root is until it is the root.
    private static let base = "/tmp"

    private static func build(
        _ entries: [ViewLayout.Entry], _ mounts: [ViewLayout.Mount], _ sources: [Int32]
    ) -> Bool {
        for entry in entries {
            let path = base + entry.path
            switch entry.kind {
            case .folder:
                guard mkdir(path, 0o755) == 0 || errno == EEXIST else { return false }
            case .link(let target):
                guard symlink(target, path) == 0 || errno == EEXIST else { return false }
            case .mount(let index, let isFolder):
                let mount = mounts[index]
                // Gone since.
                guard sources[index] >= 0 else { continue }
                if !mount.isWithinAnother {
                    guard confinement_make_place(path, isFolder ? 1 : 0) == 0 else { return false }
                }
                guard confinement_bind("/proc/self/fd/\(sources[index])", path) == 0 else { return false }
                // Landlock says so, too, where there is one.
                let writable = mount.access == .write
                _ = confinement_restrict(
                    path, confinement_view_no_set_id | (writable ? 0 : confinement_view_read_only), 1)
            }
        }
        return true
    }

    private static func currentFolder() -> String {
        guard let name = getcwd(nil, 0) else { return "/" }
        defer { free(name) }
        return String(cString: name)
    }
}

/// What there is under a path; links aren't followed.
protocol NameSource {
    func kind(of path: String) -> ViewLayout.Kind?
}

/// The real file system.
struct FileSystemNames: NameSource {
    func kind(of path: String) -> ViewLayout.Kind? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFLNK:
            var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = readlink(path, &text, Int(PATH_MAX))
            guard count > 0 else { return nil }
            return .link(String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
        default: return .file
        }
    }
}

/// The folders, links and mounts of which a private view consists, parents first.
struct ViewLayout {
    enum Kind: Hashable { case folder, file, link(String) }

    struct Mount: Hashable {
        /// Without links.
        var path: String
        var access: ConfinementPolicy.Place.Access
        /// Then what it is mounted on exists already.
        var isWithinAnother = false
    }

    struct Entry: Hashable {
        enum Kind: Hashable {
            case folder, link(String)
            case mount(Int, isFolder: Bool)
        }
        var path: String
        var kind: Kind
    }

    private static let mostLinks = 40

    private var places: [Mount] = []
    private var indices: [String: Int] = [:]
    private var folders: Set<String> = []
    private var links: [String: String] = [:]
    private var isFolder: [Bool] = []
    private let names: any NameSource

    init(_ names: any NameSource) { self.names = names }

    var mounts: [Mount] {
        places.map { Mount(path: $0.path, access: $0.access, isWithinAnother: isCovered($0.path)) }
    }

    /// Adds a place with the links on the way to it; one that isn't there is left out.
    mutating func add(_ place: ConfinementPolicy.Place) {
        var rest = place.path.split(separator: "/").map(String.init)
        var path = ""
        var followed = 0
        var way: Set<String> = []
        var found: [String: String] = [:]
        var kind = Kind.folder
        rest.reverse()
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
                continue
            }
            let next = path + "/" + name
            guard let nextKind = names.kind(of: next) else { return }
            if case .link(let target) = nextKind {
                followed += 1
                guard followed <= Self.mostLinks else { return }
                found[next] = target
                if !path.isEmpty { way.formUnion(Self.ancestors(of: next)) }
                if target.hasPrefix("/") { path = "" }
                rest += target.split(separator: "/").map(String.init).reversed()
                continue
            }
            kind = nextKind
            path = next
        }
        guard !path.isEmpty else { return }
        way.formUnion(Self.ancestors(of: path))
        folders.formUnion(way)
        links.merge(found) { $1 }
        if let index = indices[path] {
            // The last of a path counts most: rights add up.
            if place.access == .write { places[index].access = .write }
            return
        }
        indices[path] = places.count
        places.append(Mount(path: path, access: place.access))
        isFolder.append(kind == .folder)
    }

    var entries: [Entry] {
        var entries = folders.map { Entry(path: $0, kind: .folder) }
        entries += links.map { Entry(path: $0.key, kind: .link($0.value)) }
        entries.removeAll { isCovered($0.path) || indices[$0.path] != nil }
        entries += places.indices.map { Entry(path: places[$0].path, kind: .mount($0, isFolder: isFolder[$0])) }
        return entries.sorted { $0.path < $1.path }
    }

    /// Whether a path lies in a folder that is mounted as a whole.
    private func isCovered(_ path: String) -> Bool {
        var end = path.endIndex
        while let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex {
            if indices[String(path[..<slash])] != nil { return true }
            end = slash
        }
        return false
    }

    private static func ancestors(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" && $0 > path.startIndex }.map { String(path[..<$0]) }
    }
}
