import Foundation
import Testing

/// A daemon of its own for one test, with folders of its own, and the `mdhost` command that talks to it.
final class PrivateDaemon: Sendable {
    let folder: String
    let process: RunningCommand
    private let environment: [String: String]
    private let host: LabHost?

    /// The number of extensions that come with it: AirPlay, Bluetooth, DLNA, Google Cast, Kodi, MPD and Reference.
    static let ownExtensions = 8

    /// The folder of the built programs: beside the tests, or in `MDHOST_BUILD_FOLDER`.
    static let programs: String = {
        if let folder = ProcessInfo.processInfo.environment["MDHOST_BUILD_FOLDER"] { return folder }
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? own
        return (bundle as NSString).deletingLastPathComponent
    }()

    static var program: String { programs + "/mdhost" }

    /// Runs a daemon for the duration of `body`.
    ///
    /// - Parameters:
    ///   - host: The host it runs on; `nil` for the host of the tests.
    ///   - extensions: `MDHOST_EXTENSION_PATH`.
    ///   - watching: A Boolean value that indicates whether a client keeps discovery running.
    static func run(
        on host: LabHost? = nil, extensions: String = "", watching: Bool = false,
        _ body: (PrivateDaemon) async throws -> Void
    ) async throws {
        let daemon = try await PrivateDaemon(on: host, extensions: extensions)
        let watch = watching ? try daemon.start(["discover", "--watch", "--json"]) : nil
        do {
            if watching {
                try await eventually("a look around") {
                    try await daemon.status()["daemon"].map(Self.isSettled) ?? false
                }
            }
            try await body(daemon)
        } catch {
            print("LOG \(daemon.log.suffix(3_000))")
            await watch?.stop()
            await daemon.stop()
            throw error
        }
        await watch?.stop()
        await daemon.stop()
    }

    private static func isSettled(_ daemon: Any) -> Bool { (daemon as? [String: Any])?["isSettled"] as? Bool == true }

    private init(on host: LabHost?, extensions: String) async throws {
        self.host = host
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-daemon-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        environment = Self.environment(folder, extensions: extensions)
        let command = [Self.program, "daemon", "--on-demand", "--no-session-bus"]
        process = try RunningCommand(host?.command(command) ?? command, environment: environment)
        let socket = socket
        do {
            try await eventually("the daemon's socket") { FileManager.default.fileExists(atPath: socket) }
        } catch {
            let log = process.errors
            await process.stop()
            throw WaitedInVain(description: "\(error): \(log)")
        }
    }

    static func environment(_ folder: String, extensions: String = "") -> [String: String] {
        [
            "MDHOST_RUNTIME_DIRECTORY": folder + "/run", "XDG_STATE_HOME": folder + "/state",
            "XDG_DATA_HOME": folder + "/data", "MDHOST_EXTENSION_PATH": extensions, "MDHOST_PROGRAM": program,
        ]
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var socket: String { folder + "/run/socket" }
    /// A Boolean value that indicates whether it runs on another host, where it can't tell its processes from those of
    /// other users.
    var isElsewhere: Bool { host != nil }
    /// The process number of the daemon itself: the command that enters another host is its parent.
    var processID: Int32 {
        var candidate = process.processID
        while Self.name(of: candidate) != "mdhost", let child = Self.children(of: candidate).first { candidate = child }
        return candidate
    }
    var log: String { process.errors }

    func stop() async { await process.stop() }

    func mdhost(
        _ arguments: String..., input: String? = nil, within limit: Duration = .seconds(45)
    ) async throws -> CommandResult {
        try await run(arguments, input: input, within: limit)
    }

    func run(
        _ arguments: [String], input: String? = nil, within limit: Duration = .seconds(45)
    ) async throws -> CommandResult {
        try await Command.run(command(arguments), environment: environment, input: input, within: limit)
    }

    /// - Parameter waitsForInput: Its standard input stays open and brings nothing.
    func start(_ arguments: [String], waitsForInput: Bool = false) throws -> RunningCommand {
        try RunningCommand(command(arguments), environment: environment, waitsForInput: waitsForInput)
    }

    private func command(_ arguments: [String]) -> [String] {
        let words = [Self.program] + arguments
        return host?.command(words) ?? words
    }

    // MARK: Output

    func status() async throws -> [String: Any] {
        let result = try await mdhost("status", "--json", within: .seconds(10))
        try #require(result.status == 0, "the daemon does not answer: \(result)\n\(log.suffix(2_000))")
        return try #require(result.json as? [String: Any])
    }

    func list(_ key: String) async throws -> [[String: Any]] { try await status()[key] as? [[String: Any]] ?? [] }

    func device(_ name: String) async throws -> [String: Any]? {
        try await list("devices").first { $0["name"] as? String == name }
    }

    func awaitDevice(_ name: String, within limit: Duration = .seconds(15)) async throws {
        try await eventually("the device \(name)", within: limit) {
            try await device(name)?["availability"] as? String == "ready"
        }
    }

    /// Waits until the renderers are found; they announce themselves until then, as datagrams get lost.
    func awaitRenderers(_ renderers: [HostileRenderer], within limit: Duration = .seconds(15)) async throws {
        try await eventually("the devices \(renderers.map(\.manners.name))", within: limit) {
            for renderer in renderers { renderer.announce() }
            let known = Set(try await list("devices").compactMap { ($0["id"] as? String)?.lowercased() })
            return renderers.allSatisfy { known.contains($0.manners.identifier) }
        }
    }
}

/// The system resources that a daemon and its extensions hold.
struct Footprint: Sendable, Hashable, CustomStringConvertible {
    /// Open descriptors by program, the daemon's own under `mdhost`.
    var descriptors: [String: Int] = [:]
    var children = 0
    /// Resident memory of the daemon, in megabytes.
    var megabytes = 0

    var description: String {
        let open = descriptors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "descriptors \(open); children \(children); \(megabytes) MB"
    }

    /// Returns whether all resources were already held in `before`; an extension may have ended meanwhile.
    ///
    /// - Parameter tries: The number of connections to announced but absent devices that may be in progress.
    func isWithin(_ before: Footprint, tries: Int) -> Bool {
        children <= before.children
            && descriptors.allSatisfy { name, count in
                before.descriptors[name].map { count <= $0 + (name == "mdhost" ? tries : 0) } ?? false
            }
    }
}

extension PrivateDaemon {
    var footprint: Footprint {
        var footprint = Footprint()
        footprint.descriptors["mdhost"] = Self.descriptors(processID)
        for child in Self.children(of: processID) {
            footprint.children += 1
            footprint.descriptors[Self.name(of: child), default: 0] += Self.descriptors(child)
        }
        let memory = (try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)) ?? ""
        let line = memory.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        footprint.megabytes = line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 / 1024 } ?? 0
        return footprint
    }

    /// The footprint once it stays the same.
    func settledFootprint() async throws -> Footprint {
        var last = footprint
        var since = ContinuousClock.now
        try await eventually("a footprint that stays the same") {
            let now = footprint
            if now.descriptors != last.descriptors || now.children != last.children { since = .now }
            last = now
            return ContinuousClock.now - since > .milliseconds(700)
        }
        return last
    }

    /// Waits until all resources taken since are released, and prints both counts.
    @discardableResult
    func expectReturn(
        to before: Footprint, _ title: String, tries: Int = 0, within limit: Duration = .seconds(20),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Footprint {
        do {
            try await eventually("the return to \(before)", within: limit) { footprint.isWithin(before, tries: tries) }
        } catch {
            Issue.record("\(title): \(before) before, \(footprint) after", sourceLocation: sourceLocation)
        }
        let after = footprint
        print("COUNTS \(title): before \(before); after \(after)")
        return after
    }

    private static func descriptors(_ process: Int32) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
    }

    static func name(of process: Int32) -> String {
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? "?"
    }

    static func children(of process: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(Int32.init).filter { candidate in
            guard let stat = try? String(contentsOfFile: "/proc/\(candidate)/stat", encoding: .utf8),
                let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 1
            else { return false }
            return fields[1] == "\(process)"
        }
    }
}
