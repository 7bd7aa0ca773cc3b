import CDispatch
import CProcess
import Foundation

/// An extension's usage of resources that no kernel limit bounds as a whole.
struct ExtensionUsage: Sendable, Hashable {
    /// The number of processes and threads in the session.
    var threads = 0
    /// Bytes that they have in memory for themselves alone.
    var memory: Int64 = 0
    /// Bytes its folder takes on the disk, and the deleted files its process holds open.
    var storage: Int64 = 0
    /// Files and folders in it.
    var files = 0
    /// A Boolean value that indicates whether it contains folders that can't be read or are nested too deeply.
    var hides = false

    struct Limits: Sendable, Hashable {
        var threads = 768
        var memory: Int64 = 512 << 20
        var storage: Int64 = 1 << 30
        var files = 20_000
    }

    /// Returns the reason to end the process, as a clause that follows "because it"; `nil` if everything is within its
    /// limits.
    func excess(over limits: Limits) -> String? {
        if threads > limits.threads { return "started more than \(limits.threads) processes and threads" }
        if memory > limits.memory { return "took more than \(limits.memory >> 20) MB of memory" }
        if storage > limits.storage { return "filled its folder with more than \(limits.storage >> 20) MB" }
        if hides { return "made folders that cannot be looked into" }
        if files > limits.files { return "made more than \(limits.files) files" }
        return nil
    }

    /// Returns the current usage. Counting files stops once there are too many.
    ///
    /// - Parameter isAlone: Whether the process can't have started others, so that there is no need to search for them.
    static func current(process: pid_t, isAlone: Bool, folder: String, limits: Limits) -> ExtensionUsage {
        var usage = ExtensionUsage()
        let session = ProcessSession(leader: process)
        usage.threads = session.threadCount(ofLeaderOnly: isAlone)
        usage.memory = session.ownMemory(ofLeaderOnly: isAlone)
        let content = FolderUsage(of: folder, limit: limits.files)
        (usage.files, usage.storage, usage.hides) = (content.files, content.storage, content.hides)
        usage.storage += deletedStorage(of: process)
        return usage
    }

    private static func deletedStorage(of process: pid_t) -> Int64 {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            guard stat(folder + "/" + name, &status) == 0, status.st_nlink == 0, status.st_mode & S_IFMT == S_IFREG
            else {
                return sum
            }
            return sum + Int64(status.st_blocks) * 512
        }
    }
}
