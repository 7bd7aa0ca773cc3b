import Foundation

/// What tells one state of a file from another without reading it: another file in its place, or another content.
struct FileRevision: Sendable, Hashable {
    private var device: UInt64 = 0
    private var inode: UInt64 = 0
    private var size: Int64 = 0
    private var seconds = 0
    private var nanoseconds = 0

    /// Of the file a link leads to; all files that are not there are alike.
    init(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
