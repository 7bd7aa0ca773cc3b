import CProcess
import Foundation

/// What an extension takes of the machine that no limit of the kernel bounds as a whole.
struct ExtensionUsage: Sendable, Hashable {
    /// Processes and threads of its session.
    var threads = 0
    /// Bytes its folder takes on the disk.
    var storage: Int64 = 0
    /// Files and folders in it.
    var files = 0

    struct Limits: Sendable, Hashable {
        var threads = 768
        var storage: Int64 = 1 << 30
        var files = 20_000
    }

    /// What to end it for, as a clause that follows "because it"; `nil` while all is within bounds.
    func excess(over limits: Limits) -> String? {
        if threads > limits.threads { return "started more than \(limits.threads) processes and threads" }
        if storage > limits.storage { return "filled its folder with more than \(limits.storage >> 20) MB" }
        if files > limits.files { return "made more than \(limits.files) files" }
        return nil
    }

    /// Looks now; stops counting files where their number is too large.
    ///
    /// - Parameter isAlone: Whether the process cannot have started others, so that nobody looks for them.
    static func current(process: pid_t, isAlone: Bool, folder: String, limits: Limits) -> ExtensionUsage {
        var usage = ExtensionUsage()
        usage.threads = ProcessSession(leader: process).threadCount(ofLeaderOnly: isAlone)
        // Neither follows symbolic links nor crosses to other file systems: what is there is the extension's making.
        var paths: [UnsafeMutablePointer<CChar>?] = [strdup(folder), nil]
        defer { free(paths[0]) }
        guard let tree = fts_open(&paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, nil) else { return usage }
        defer { fts_close(tree) }
        while let entry = fts_read(tree), usage.files <= limits.files {
            guard Int32(entry.pointee.fts_info) != FTS_DP, let status = entry.pointee.fts_statp else { continue }
            usage.files += 1
            usage.storage += Int64(status.pointee.st_blocks) * 512
        }
        return usage
    }
}
