import Foundation
import HostConfinement
import HostCore
import LinkProtocol
import Logging
import Synchronization

@testable import HostExtensions

/// An installed extension whose program is the test support target `FaultyExtension`.
struct FaultyBundle: Sendable {
    let folder: TemporaryFolder
    let manifest: ExtensionManifest
    /// The kind of fault; see the target.
    var fault: String

    init(_ fault: String) throws {
        self.fault = fault
        folder = try TemporaryFolder()
        var info = InfoPlist()
        info.identifier = "<string>org.example.faulty</string>"
        info.executable = "<string>FaultyExtension</string>"
        info.displayName = "<string>Faulty</string>"
        if fault == "grandchild" { info.extra = "<key>MDHostRunsPrograms</key><true/>" }
        try folder.write(info.text, to: "faulty.mdext/Info.plist")
        manifest = try ExtensionManifest.read(
            bundle: folder.path + "/faulty.mdext", executableFolder: Self.buildFolder)
    }

    /// The folder of the tests and the programs they start.
    static var buildFolder: String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let arguments = CommandLine.arguments.first { $0.contains(".xctest") } ?? program
        return (arguments as NSString).deletingLastPathComponent
    }

    static var launcher: String? { ConfinementLauncher.find(executable: buildFolder + "/tests") }

    /// The bundle's own folder as one to search.
    var places: [ExtensionCatalog.Folder] { [.init(path: folder.path, executableFolder: Self.buildFolder)] }

    /// Writes the manifest anew.
    func rewrite(_ change: (inout InfoPlist) -> Void) throws {
        var info = InfoPlist()
        info.identifier = "<string>org.example.faulty</string>"
        info.executable = "<string>FaultyExtension</string>"
        info.displayName = "<string>Faulty</string>"
        change(&info)
        try folder.write(info.text, to: "faulty.mdext/Info.plist")
    }

    func launch(_ generation: Int = 1) -> ExtensionProcess.Launch {
        var launch = ExtensionProcess.Launch(
            manifest: manifest, generation: generation, hostName: "Living room",
            stateDirectory: folder.path + "/state/org.example.faulty",
            environment: ProcessInfo.processInfo.environment.merging(["MDHOST_TEST_SECRET": "x"]) { $1 })
        launch.additionalEnvironment = ["MDHOST_FAULT": fault]
        launch.launcher = Self.launcher
        return launch
    }

    func supervisor(
        catalog: ExtensionCatalog? = nil, _ change: (inout ExtensionSupervisor.Configuration) -> Void = { _ in }
    ) -> ExtensionSupervisor {
        var configuration = ExtensionSupervisor.Configuration(
            hostName: "Living room", stateFolder: folder.path + "/state",
            environment: ProcessInfo.processInfo.environment)
        configuration.additionalEnvironment = ["MDHOST_FAULT": fault]
        configuration.launcher = Self.launcher
        // With many tests at a time, answers take long.
        configuration.timing.heartbeat = .seconds(60)
        change(&configuration)
        return ExtensionSupervisor(
            configuration, catalog: catalog ?? ExtensionCatalog(manifests: [manifest]),
            logger: Logger(label: "test") { _ in
                SwiftLogNoOpLogHandler()
            })
    }
}

/// The messages of a process, in order, for one reader.
struct Inbox {
    let messages: AsyncStream<ExtensionMessage>
    let receiver: LinkReceiver

    init() {
        let (stream, continuation) = AsyncStream<ExtensionMessage>.makeStream()
        messages = stream
        receiver = LinkReceiver(
            greeted: { _ in },
            message: { message, _ in
                continuation.yield(message)
                return true
            })
    }
}

/// Log records of one test.
final class LogRecorder: LogHandler, Sendable {
    private let records = Mutex<[(level: Logger.Level, text: String)]>([])
    let metadataStore = Mutex<Logger.Metadata>([:])

    var logger: Logger { Logger(label: "test") { _ in self } }
    var lines: [String] { records.withLock { $0.map(\.text) } }

    func lines(_ level: Logger.Level) -> [String] { records.withLock { $0.filter { $0.level == level }.map(\.text) } }

    var metadata: Logger.Metadata {
        get { metadataStore.withLock { $0 } }
        set { metadataStore.withLock { $0 = newValue } }
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadataStore.withLock { $0[key] = newValue } }
    }
    func log(event: LogEvent) {
        records.withLock { $0.append((event.level, "\(event.message)")) }
    }
}

/// Returns whether a process of that number exists and is no zombie.
func isAlive(_ processID: Int32) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8),
        let state = stat.split(separator: ")").last?.split(separator: " ").first
    else { return false }
    return state != "Z"
}

/// Children of this process that are not reaped.
func zombies() -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(Int32.init).filter { processID in
        guard let stat = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8),
            let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 1
        else { return false }
        return fields[0] == "Z" && fields[1] == "\(getpid())"
    }
}
