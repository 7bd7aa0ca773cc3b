import Glibc

/// Removes a folder that another program may change at the same time.
///
/// By descriptors alone: a folder that is exchanged for a link on the way leads nowhere else. What lies deep is moved up first,
/// so that a few descriptors do for any depth, and any length of a path.
struct FolderRemoval {
    private typealias Name = [CChar]

    /// An extension may have 20,000 files. Who makes them as fast as they are removed is not waited for.
    private static let mostSteps = 200_000

    private var steps = 0
    private var moved = 0

    /// Removes the entry `name` of an open folder, whatever it is.
    ///
    /// - Returns: Whether nothing is left of it.
    @discardableResult static func remove(_ name: String, in parent: Int32) -> Bool {
        var removal = FolderRemoval()
        let name = Name(name.utf8CString)
        while !unlink(name, in: parent) {
            removal.steps += 1
            guard let folder = open(name, in: parent) else {
                if errno == ENOENT { return true }
                guard hasChanged, removal.steps < mostSteps else { return false }
                continue
            }
            defer { close(folder) }
            guard removal.removeEntries(of: folder) else { return false }
        }
        return true
    }

    /// - Returns: `false` where something stays.
    private mutating func removeEntries(of folder: Int32) -> Bool {
        while true {
            let names = Self.names(in: folder)
            guard !names.isEmpty else { return true }
            var isProgress = false
            for name in names {
                if remove(name, in: folder) { isProgress = true }
                guard steps < Self.mostSteps else { return false }
            }
            guard isProgress else { return false }
        }
    }

    /// Removes an entry, or moves what is in it to its own folder.
    ///
    /// - Returns: `false` if another try would do no more.
    private mutating func remove(_ name: Name, in folder: Int32) -> Bool {
        steps += 1
        if Self.unlink(name, in: folder) { return true }
        guard let inner = Self.open(name, in: folder) else { return Self.hasChanged }
        defer { close(inner) }
        var isProgress = false
        for name in Self.names(in: inner) where steps < Self.mostSteps {
            steps += 1
            moved += 1
            if Self.unlink(name, in: inner) || renameat(inner, name, folder, ".removed-\(moved)") == 0 {
                isProgress = true
            }
        }
        return Self.unlink(name, in: folder) || isProgress || Self.hasChanged
    }

    /// A Boolean value that indicates whether the last call found another entry than the folder of that name, or none.
    private static var hasChanged: Bool { errno == ENOENT || errno == ENOTDIR || errno == ELOOP }

    /// A file, a link, or an empty folder.
    private static func unlink(_ name: Name, in folder: Int32) -> Bool {
        unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0
    }

    /// Opens a folder, also one whose mode forbids it.
    private static func open(_ name: Name, in parent: Int32) -> Int32? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var folder = openat(parent, name, flags)
        if folder < 0, errno == EACCES {
            let place = openat(parent, name, Int32(__O_PATH) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard place >= 0 else { return nil }
            chmod("/proc/self/fd/\(place)", 0o700)
            close(place)
            folder = openat(parent, name, flags)
        }
        return folder >= 0 ? folder : nil
    }

    private static func names(in folder: Int32) -> [Name] {
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return [] }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return []
        }
        defer { closedir(stream) }
        var names: [Name] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            }
            let isItself = name == [46, 0] || name == [46, 46, 0]
            if !isItself { names.append(name) }
        }
        return names
    }
}
