import Foundation
import HostClient
import Testing

/// One person's mdhost: folders of its own, and the daemon that the person's commands start.
final class Household: Sendable {
    static let mdhost = ProcessInfo.processInfo.environment["MDHOST_PROGRAM"] ?? PrivateDaemon.program

    let folder: String
    let environment: [String: String]

    private init(_ additions: [String: String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-home-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        environment = [
            "MDHOST_RUNTIME_DIRECTORY": folder + "/run", "XDG_STATE_HOME": folder + "/state",
            "XDG_DATA_HOME": folder + "/data", "MDHOST_PROGRAM": Self.mdhost,
        ].merging(additions) { own, _ in own }
    }

    /// Runs `body` in a new household, and ends all processes left in it.
    ///
    /// - Parameter additions: Further environment variables.
    static func open(
        _ additions: [String: String] = [:], _ body: (Household) async throws -> Void
    ) async throws {
        let home = try Household(additions)
        let result: Result<Void, any Error>
        do {
            try await body(home)
            result = .success(())
        } catch {
            Attachment.record(Array(home.log.utf8), named: "daemon.log")
            result = .failure(error)
        }
        await home.close()
        try result.get()
    }

    private func close() async {
        if !processes.isEmpty { _ = try? await run("daemon", "--quit", within: .seconds(15)) }
        for process in processes { kill(process, SIGKILL) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    var socket: String { folder + "/run/socket" }
    var log: String { (try? String(contentsOfFile: folder + "/state/mdhost/daemon.log", encoding: .utf8)) ?? "" }

    // MARK: Commands

    func run(
        _ arguments: String..., input: String? = nil, within limit: Duration = .seconds(40)
    ) async throws -> CommandResult {
        try await run(arguments, input: input, within: limit)
    }

    func run(
        _ arguments: [String], input: String? = nil, within limit: Duration = .seconds(40)
    ) async throws -> CommandResult {
        try await Command.run([Self.mdhost] + arguments, environment: environment, input: input, within: limit)
    }

    /// Runs a command that has to succeed.
    ///
    /// - Returns: Its standard output.
    @discardableResult
    func succeed(
        _ arguments: String..., input: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let result = try await Command.run([Self.mdhost] + arguments, environment: environment, input: input)
        try #require(
            result.status == 0, "mdhost \(arguments.joined(separator: " ")): \(result)", sourceLocation: sourceLocation)
        return result.output
    }

    func start(_ arguments: String...) throws -> RunningCommand {
        try RunningCommand([Self.mdhost] + arguments, environment: environment)
    }

    // MARK: State

    struct Status: Decodable {
        var daemon: ClientManager
        var devices: [ClientDevice]
        var sessions: [ClientSession]
        var extensions: [ClientExtension]
    }

    func status(_ device: String? = nil) async throws -> Status {
        let words = ["status", "--json"] + (device.map { [$0] } ?? [])
        let result = try await Command.run([Self.mdhost] + words, environment: environment)
        try #require(result.status == 0, "\(result)")
        return try JSONLines.one(result.output)
    }

    func discover() async throws -> [ClientDevice] { try JSONLines.one(try await succeed("discover", "--json")) }

    func sessions() async throws -> [ClientSession] { try JSONLines.one(try await succeed("sessions", "--json")) }

    func device(_ name: String) async throws -> ClientDevice {
        try #require(try await status(name).devices.first)
    }

    /// The session on the device, once it fits.
    @discardableResult
    func session(
        on device: String, _ what: String, within limit: Duration = .seconds(10),
        where fits: (ClientSession) -> Bool = { _ in true }
    ) async throws -> ClientSession {
        var found: ClientSession?
        var last = "none"
        do {
            try await eventually("\(device): \(what)", within: limit) {
                let session = try await status(device).sessions.last
                last = session.map { "\($0)" } ?? "none"
                found = session.flatMap { fits($0) ? $0 : nil }
                return found != nil
            }
        } catch let error as WaitedInVain {
            throw WaitedInVain(description: "\(error); the session: \(last)")
        }
        return try #require(found)
    }

    // MARK: Processes to kill

    /// The process that holds the lock; `nil` if none ever did.
    var daemon: Int32? {
        let text = try? String(contentsOfFile: folder + "/run/lock", encoding: .utf8)
        return text?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    /// Ends the daemon as a power cut does, and waits until it and its extensions are gone.
    func killDaemon() async throws {
        kill(try #require(daemon), SIGKILL)
        try await eventually("the end of every process") { processes.isEmpty }
    }

    /// Ends the extension's process.
    ///
    /// - Returns: Its number.
    @discardableResult
    func killExtension(_ identifier: String) async throws -> Int32 {
        let process = try #require(
            try await status().extensions.first { $0.id == identifier }?.processID.map(Int32.init))
        kill(process, SIGKILL)
        return process
    }

    /// The daemon's child processes with a name, of at most 15 characters.
    func children(named name: String) throws -> [Int32] {
        let daemon = try #require(daemon)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { number in
            let stat = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
            let words = stat.split(separator: " ")
            return words.count > 3 && words[1] == "(\(name))" && words[3] == "\(daemon)"
        }
    }

    // MARK: Leftovers

    /// Every live process that was given these folders, daemon and commands, and their extensions.
    var processes: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let mark = Data(folder.utf8)
        return names.compactMap(Int32.init).filter { process in
            // A zombie has no environment.
            (try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ")))?.range(of: mark) != nil
        }
    }

    /// Ends the daemon as a person does, and checks that nothing of it is left.
    func quit(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await succeed("daemon", "--quit", sourceLocation: sourceLocation)
        try await eventually("the end of every process") { processes.isEmpty }
        #expect(!FileManager.default.fileExists(atPath: socket), sourceLocation: sourceLocation)
        #expect(!log.contains("Error:"), "\(log)", sourceLocation: sourceLocation)
    }
}
