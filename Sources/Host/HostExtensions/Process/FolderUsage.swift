import CDispatch
import Glibc

/// Counts the files in a folder that another program may change at the same time.
///
/// By descriptors alone: a folder that is exchanged for a link on the way leads nowhere else, so nothing can be learned about
/// other files by the limit. Other file systems aren't entered.
struct FolderUsage: Sendable, Hashable {
    /// Each level takes a descriptor.
    static let mostLevels = 128

    /// The number of files, folders and links, the folder itself included.
    private(set) var files = 0
    /// In bytes, as allocated on the disk.
    private(set) var storage: Int64 = 0
    /// A Boolean value that indicates whether there is a folder that can't be read, or too deep a one.
    private(set) var hides = false

    private let limit: Int
    private var device: dev_t = 0

    /// - Parameter limit: Counting ends with the first file beyond it.
    init(of folder: String, limit: Int) {
        self.limit = limit
        let descriptor = open(folder, Self.flags)
        guard descriptor >= 0 else {
            hides = errno != ENOENT
            return
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            return
        }
        device = status.st_dev
        count(status)
        add(descriptor, level: 1)
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    private mutating func count(_ status: stat) {
        files += 1
        storage += Int64(status.st_blocks) * 512
    }

    /// Counts what is in an open folder, and closes it.
    private mutating func add(_ folder: Int32, level: Int) {
        guard let stream = fdopendir(folder) else {
            close(folder)
            return
        }
        defer { closedir(stream) }
        while files <= limit, let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    guard strcmp(name, ".") != 0, strcmp(name, "..") != 0 else { return }
                    add(name, in: folder, level: level)
                }
            }
        }
    }

    private mutating func add(_ name: UnsafePointer<CChar>, in folder: Int32, level: Int) {
        var status = stat()
        // A file that was removed in the meantime hides nothing.
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        count(status)
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_dev == device else { return }
        guard level < Self.mostLevels else {
            hides = true
            return
        }
        let inner = openat(folder, name, Self.flags)
        guard inner >= 0 else {
            if ![ENOENT, ENOTDIR, ELOOP].contains(errno) { hides = true }
            return
        }
        var opened = stat()
        // It may be another folder by now, even one of another file system.
        guard fstat(inner, &opened) == 0, opened.st_dev == device else {
            close(inner)
            return
        }
        add(inner, level: level + 1)
    }
}
