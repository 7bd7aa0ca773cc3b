import Confinement
import Foundation
import Synchronization

/// Runs a hostile program under the launcher, from a folder that any user may look into.
final class ConfinedRun: Sendable {
    private static let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    let folder: String
    private let program: String
    private let asUser: Bool
    private let last = Mutex<(status: Int32, report: ConfinementReport?)>((-1, nil))

    var status: Int32 { last.withLock { $0.status } }
    var report: ConfinementReport? { last.withLock { $0.report } }
    var launcher: String { folder + "/mdhost-confine" }

    /// - Parameter asUser: Run as `nobody` if this process is root.
    init(asUser: Bool, program: String = "HostileExtension") throws {
        self.program = program
        self.asUser = asUser && getuid() == 0
        folder = NSTemporaryDirectory() + "/mdhost-confined-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/state/tmp", withIntermediateDirectories: true)
        for path in ["", "/state", "/state/tmp"] { chmod(folder + path, path.isEmpty ? 0o755 : 0o777) }
        for name in ["mdhost-confine", program] {
            try FileManager.default.copyItem(atPath: Self.buildFolder + "/" + name, toPath: folder + "/" + name)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A Boolean value that indicates whether an ordinary user can run the launcher and the runtime it is linked with.
    static var canBeAUser: Bool {
        guard getuid() == 0 else { return true }
        guard let run = try? ConfinedRun(asUser: true) else { return false }
        _ = try? run.attempts(only: "clone3")
        return run.report != nil
    }

    private static var buildFolder: String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? program
        return (bundle as NSString).deletingLastPathComponent
    }

    private static let runtimeFolder: String? = {
        let file = FileHandle(forReadingAtPath: "/proc/self/maps")
        let maps = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
        guard let line = maps.split(separator: "\n").first(where: { $0.hasSuffix("/libswiftCore.so") }),
            let path = line.firstIndex(of: "/")
        else { return nil }
        return (String(line[path...]) as NSString).deletingLastPathComponent
    }()

    /// With the processes this one starts as its children.
    var policy: ConfinementPolicy {
        var policy = ConfinementPolicy(parent: getpid())
        policy.places = ["/usr", "/bin", "/lib", "/lib64"].map { .init($0, .run) } + [.init("/etc/ld.so.cache", .read)]
        // Linked with it, as everything a Swift package builds.
        policy.places += Self.runtimeFolder.map { [.init($0, .run)] } ?? []
        policy.places += [.init(folder + "/" + program, .run), .init(folder + "/state", .write)]
        return policy
    }

    /// - Returns: The result of each attempt by its name; outcome and details with a tab between.
    func attempts(
        only name: String? = nil, victims: [String: String] = [:],
        _ change: (inout ConfinementPolicy) -> Void = { _ in }
    ) throws -> [String: String] {
        var policy = policy
        change(&policy)
        let process = Process()
        let output = Pipe()
        // Its messages, which no descriptor is there for, go the same way.
        let shell = ["/bin/sh", "-c", "exec \"$@\" 4>&1", "sh"]
        let command = shell + (asUser ? Self.nobody : []) + [launcher] + policy.arguments
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst()) + ["--", folder + "/" + program]
        process.environment = ["MDHOST_STATE_DIRECTORY": folder + "/state", "HOSTILE_ONLY": name ?? ""]
        if name == nil { process.environment?["HOSTILE_ONLY"] = nil }
        process.environment?.merge(victims) { $1 }
        process.currentDirectoryURL = URL(filePath: folder + "/state")
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let report: ConfinementReport? =
            if case .confined(let report) = LauncherMessage(text) { report } else { nil }
        last.withLock { $0 = (process.terminationStatus, report) }
        let lines = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let fields = line.split(separator: "\t", maxSplits: 1)
            return fields.count == 2 ? (String(fields[0]), String(fields[1])) : nil
        }
        return Dictionary(lines) { $1 }
    }
}
