import DBus
import Foundation
import HostClient
import HostInterface
import Testing

/// The example `examples/routed-player` as a process beside a test: an app by the article, and the lines it printed.
final class RoutedApp: Sendable {
    static let `protocol` = "org.mdhost.protocol.reference"

    let name: String
    private let command: RunningCommand
    private let keyboard: Keyboard

    private init(name: String, command: RunningCommand, keyboard: Keyboard) {
        self.name = name
        self.command = command
        self.keyboard = keyboard
    }

    /// Returns once the daemon knows the app.
    ///
    /// - Parameter program: Another one than `RoutedPlayer`.
    static func open(
        _ home: Household, name: String = "Film App", program: String = "RoutedPlayer", _ arguments: String...
    ) async throws -> RoutedApp {
        let identifier = "org.example." + name.lowercased().replacing(" ", with: "-")
        let folder = home.folder + "/" + identifier
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let information: [String: Any] = [
            "CFBundleIdentifier": identifier, "CFBundleDisplayName": name,
            "MDESupportedProtocols": [
                Self.protocol: "org.mdhost.reference.echo", "org.mdhost.protocol.googlecast": "0DE30EC0",
            ],
            "MDESupportsUniversalURLPlayback": true,
        ]
        try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
            .write(to: URL(filePath: folder + "/Info.plist"))
        let keyboard = try Keyboard(in: folder)
        let words = ([PrivateDaemon.programs + "/" + program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let command = try RunningCommand(
            ["/bin/sh", "-c", "exec \(words) <'\(keyboard.path)'"],
            environment: home.environment.merging(["MDHOST_INFO_PLIST": folder + "/Info.plist"]) { $1 })
        let app = RoutedApp(name: name, command: command, keyboard: keyboard)
        if program == "RoutedPlayer" { try await app.sees("waiting") }
        try await app.isKnown(home)
        return app
    }

    /// Everything it saw so far, in order.
    var lines: [String] { command.output.split(separator: "\n").map(String.init) }

    /// The events of routes among them.
    var events: [String] { lines.filter { $0.hasPrefix("activate") || $0.hasPrefix("deactivate") } }

    func sees(_ line: String, times: Int = 1, within limit: Duration = .seconds(15)) async throws {
        do {
            try await eventually("\(name): “\(line)”", within: limit) { lines.count { $0.hasPrefix(line) } >= times }
        } catch {
            throw WaitedInVain(description: "\(error); it saw: \(lines) \(command.errors)")
        }
    }

    func type(_ line: String) { keyboard.type(line + "\n") }

    /// Waits until the daemon that serves now knows the app.
    func isKnown(_ home: Household) async throws {
        try await eventually("the daemon knows \(name)") {
            guard let client = try? await HostClient.connect(to: home.socket, launching: false) else { return false }
            let reply = try? await client.call(
                HostNames.rootPath, interface: HostNames.managerInterface, "ListApplications")
            await client.close()
            return reply?.first?.asArray?.contains { $0.asDictionary?["name"]?.asString == name } == true
        }
    }

    /// Waits for its own end.
    func ended() async { _ = await command.waitForExit() }

    func kill() async {
        command.send(SIGKILL)
        _ = await command.waitForExit()
    }

    /// - Returns: Its exit code.
    @discardableResult
    func quit() async -> Int32 {
        type("quit")
        return await command.waitForExit()
    }
}
