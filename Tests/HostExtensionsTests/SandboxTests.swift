import Confinement
import Foundation
import HostConfinement
import HostCore
import HostInterface
import LinkProtocol
import Logging
import Synchronization
import Testing

@testable import HostExtensions

/// A hostile extension as a real process, started as every extension is.
@Suite(.timeLimit(.minutes(5))) struct SandboxTests {
    private let log = LogRecorder()
    private let inbox = Inbox()

    /// The bundle, the targets of its attacks, and its traces.
    private struct Scene {
        let folder: TemporaryFolder
        let manifest: ExtensionManifest
        var environment: [String: String]

        init(_ change: (inout InfoPlist) -> Void = { _ in }) throws {
            folder = try TemporaryFolder()
            var info = InfoPlist()
            info.identifier = "<string>org.example.hostile</string>"
            info.executable = "<string>HostileExtension</string>"
            change(&info)
            try folder.write(info.text, to: "hostile.mdext/Info.plist")
            try folder.write("mine", to: "state/mdhost.sqlite", mode: 0o600)
            try folder.write("mine", to: "state/extensions/org.example.other/token", mode: 0o600)
            try folder.write("mine", to: "home/diary", mode: 0o600)
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/home/diary-link", withDestinationPath: "diary")
            manifest = try ExtensionManifest.read(
                bundle: folder.path + "/hostile.mdext", executableFolder: FaultyBundle.buildFolder)
            let home = NSHomeDirectory()
            environment = [
                "HOSTILE_DAEMON": "\(getpid())",
                "HOSTILE_FILES": [
                    "read the person's files=\(folder.path)/home/diary", "list the person's home=\(home)",
                    "read the database=\(folder.path)/state/mdhost.sqlite",
                    "read another extension's file=\(folder.path)/state/extensions/org.example.other/token",
                ].joined(separator: ":"),
                "HOSTILE_CHANGES": "diary=\(folder.path)/home/diary:home=\(home)",
                "HOSTILE_FOLDERS": [
                    "write the person's files=\(folder.path)/home", "write beside the database=\(folder.path)/state",
                    "write another extension's folder=\(folder.path)/state/extensions/org.example.other",
                    "write its own bundle=\(folder.path)/hostile.mdext", "write a common folder=/var/tmp",
                    "write shared memory=/dev/shm",
                ].joined(separator: ":"),
                "HOSTILE_SOCKETS": [
                    "open the session bus=\(folder.path)/bus", "open the daemon's socket=\(folder.path)/socket",
                    "open an abstract socket=@/tmp/.X11-unix/X0",
                ].joined(separator: ":"),
            ]
        }

        func launch() -> ExtensionProcess.Launch {
            var launch = ExtensionProcess.Launch(
                manifest: manifest, generation: 1, hostName: "Living room",
                stateDirectory: folder.path + "/state/extensions/org.example.hostile",
                environment: ProcessInfo.processInfo.environment)
            launch.launcher = FaultyBundle.launcher
            launch.additionalEnvironment = environment
            return launch
        }
    }

    /// - Returns: Outcome and details of each attempt, in order.
    private func attempts(
        _ launch: ExtensionProcess.Launch
    ) async throws -> [(name: String, outcome: String, details: String)] {
        var timing = ExtensionProcess.Timing()
        // Two hundred attempts take a minute on an emulated processor.
        timing.greeting = .seconds(200)
        // The log takes less at once.
        let output = Mutex<[String]>([])
        var launch = launch
        launch.output = { message in output.withLock { $0.append(message.text) } }
        let process = ExtensionProcess(launch, timing: timing, logger: log.logger, receiver: inbox.receiver)
        await #expect(throws: ExtensionLaunchError.self) { try await process.start() }
        let lines = output.withLock { $0 }.map { $0.components(separatedBy: "\t") }
        try #require(lines.last == ["end"], "\(log.lines)")
        return lines.dropLast().map { ($0[0], $0.count > 1 ? $0[1] : "", $0.count > 2 ? $0[2] : "") }
    }

    @Test func whatMustNotBeIsNot() async throws {
        let scene = try Scene()
        // Sockets that it could connect to without confinement.
        let sockets = try ["bus", "socket"].map { try ListeningSocket(path: scene.folder.path + "/" + $0) }
        defer { sockets.forEach { $0.close() } }
        let attempts = try await attempts(scene.launch())
        print("ATTEMPT".padding(toLength: 42, withPad: " ", startingAt: 0) + "OUTCOME")
        for attempt in attempts {
            let name = attempt.name.padding(toLength: 42, withPad: " ", startingAt: 0)
            print(name + attempt.outcome.padding(toLength: 9, withPad: " ", startingAt: 0) + attempt.details)
        }
        let report = try await report()
        for attempt in attempts where attempt.name.hasPrefix("may: ") {
            #expect(attempt.outcome == "done", "\(attempt)")
        }
        for attempt in attempts
        where !attempt.name.hasPrefix("may: ") && report.parts.contains(Self.part(of: attempt.name))
            && !Self.unlimited.contains(attempt.name)
        {
            #expect(attempt.outcome != "done", "\(attempt)")
        }
        #expect(attempts.count > 200)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: scene.folder.path + "/state/extensions/org.example.other")
        #expect(names == ["token"])
        #expect(try String(contentsOfFile: scene.folder.path + "/home/diary", encoding: .utf8) == "mine")
    }

    /// The limits that this build doesn't set.
    #if SANITIZED
        private static let unlimited = ["memory (MB)"]
    #else
        private static let unlimited: [String] = []
    #endif

    /// Returns the kernel feature that refuses the attempt.
    private static func part(of name: String) -> ConfinementReport.Part {
        if name.hasPrefix("see by ") { return .view }
        let files = [
            "read the person", "list the", "read the database", "read another", "write", "open the daemon's ",
            "read the daemon's environment", "take the daemon's descriptors", "run a file", "open /", "read by ",
            "link ",
            "move ", "exchange ", "make a folder there", "a socket there", "open anew",
        ]
        return files.contains { name.hasPrefix($0) } ? .files : .systemCalls
    }

    /// Returns the confinement report of this system.
    private func report() async throws -> ConfinementReport {
        let process = ExtensionProcess(try FaultyBundle("good").launch(), logger: log.logger, receiver: inbox.receiver)
        _ = try await process.start()
        let report = await process.confinement
        _ = await process.stop()
        return try #require(report)
    }

    @Test func withoutItsLauncherNothingIsStarted() async throws {
        let scene = try Scene()
        var launch = scene.launch()
        launch.launcher = nil
        let process = ExtensionProcess(launch, logger: log.logger, receiver: inbox.receiver)
        await #expect(
            throws: ExtensionLaunchError.notStarted(
                "\(scene.manifest.executablePath) cannot be started: "
                    + "mdhost-confine, which confines extensions, is not installed beside mdhost")
        ) { try await process.start() }
        #expect(log.lines(.info).isEmpty)
        #expect(ConfinementLauncher.find(executable: scene.folder.path + "/mdhost") == nil)
    }

    @Test func theSupervisorTellsHowFarItIsConfined() async throws {
        let supervisor = try FaultyBundle("good").supervisor()
        #expect(await supervisor.statuses().first?.confinement == [])
        await supervisor.acquire("org.example.faulty", reason: "lease")
        try await supervisor.perform(.startDeviceDiscovery, on: "org.example.faulty")
        let expected = try await report().parts.map(\.rawValue)
        #expect(await supervisor.statuses().first?.confinement == expected)
        await supervisor.stopAll()
    }

    @Test func itsTemporaryFolderStartsEmpty() async throws {
        let scene = try Scene()
        try scene.folder.write("old", to: "state/extensions/org.example.hostile/tmp/a/b")
        try scene.folder.write("kept", to: "state/extensions/org.example.hostile/kept")
        // Left by an earlier process to lead the host elsewhere.
        let launch = scene.launch()
        try ExtensionEnvironment.prepareStateDirectory(launch.stateDirectory)
        let temporary = ExtensionEnvironment.temporaryDirectory(in: launch.stateDirectory)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        try FileManager.default.removeItem(atPath: temporary)
        try FileManager.default.createSymbolicLink(atPath: temporary, withDestinationPath: scene.folder.path + "/home")
        try ExtensionEnvironment.prepareStateDirectory(launch.stateDirectory)
        #expect(FileManager.default.fileExists(atPath: scene.folder.path + "/home/diary"))
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: temporary)) == nil)
        #expect(FileManager.default.fileExists(atPath: launch.stateDirectory + "/kept"))
    }
}

/// A listening Unix socket.
struct ListeningSocket {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(descriptor, 1) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func close() { Foundation.close(descriptor) }
}
