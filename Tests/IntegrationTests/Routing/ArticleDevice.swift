import Foundation
import Testing

/// A device for `ArticleExtension` in a host of the LAN: a server that speaks in lines, announced by Avahi, and the
/// extension's bundle.
final class ArticleDevice: Sendable {
    static let `extension` = "org.example.article"

    let name: String
    let port: String
    private let host: String
    private let server: RunningCommand
    private let keyboard: Keyboard
    private let announcement: RunningCommand

    /// Returns once it is announced.
    ///
    /// - Parameter manner: The answer to `hello`: `open`, `pin`, `password`; the code is 4711.
    static func start(_ home: Household, _ name: String, manner: String = "open", on host: String = "b") async throws
        -> ArticleDevice
    {
        let keyboard = try Keyboard(in: home.folder)
        let server = try RunningCommand([
            "/bin/sh", "-c", "exec \"$@\" <'\(keyboard.path)'", "sh", LabHost.script, "in", host, "/usr/bin/python3",
            "-u", "-c", program, manner,
        ])
        try await eventually("the port of \(name) \(server.errors)") { server.output.hasPrefix("port ") }
        let port = String(server.output.prefix { $0 != "\n" }.dropFirst(5))
        let announcement = try announce(name, port, on: host)
        let device = ArticleDevice(name, port, host, server, keyboard, announcement)
        try await eventually("the announcement of \(name)") { announcement.errors.contains("Established") }
        return device
    }

    static func announce(_ name: String, _ port: String, on host: String) throws -> RunningCommand {
        try RunningCommand([
            LabHost.script, "in", host, "avahi-publish", "--service", name, "_mdhost-article._tcp", port,
        ])
    }

    private init(
        _ name: String, _ port: String, _ host: String, _ server: RunningCommand, _ keyboard: Keyboard,
        _ announcement: RunningCommand
    ) {
        (self.name, self.port, self.host) = (name, port, host)
        (self.server, self.keyboard, self.announcement) = (server, keyboard, announcement)
    }

    /// The received lines, in order.
    var lines: [String] { server.output.split(separator: "\n").dropFirst().map(String.init) }

    func hears(_ line: String, times: Int = 1) async throws {
        do {
            try await eventually("\(name): “\(line)”") { lines.count { $0 == line } >= times }
        } catch {
            throw WaitedInVain(description: "\(error); it was told: \(lines) \(server.errors)")
        }
    }

    /// Sends a line to all connections.
    func says(_ line: String) { keyboard.type(line + "\n") }

    /// Leaves the network as a device does that is switched off in order.
    func withdraw() async { await announcement.stop() }

    func stop() async {
        await announcement.stop()
        await server.stop(patience: .seconds(1))
    }

    private static let program = """
        import socket, sys, threading
        s = socket.create_server(("", 0))
        print("port", s.getsockname()[1])
        peers = []
        def say(f, line):
            f.write(line + "\\n")
            f.flush()
        def serve(c):
            f = c.makefile("rw", newline="\\n")
            peers.append(f)
            for line in f:
                line = line.strip()
                print(line)
                word, _, rest = line.partition(" ")
                if word == "hello": say(f, sys.argv[1])
                elif word == "code": say(f, "right" if rest == "4711" else "wrong")
                elif word == "seek": say(f, "playing " + rest)
            peers.remove(f)
            print("gone")
        def accept():
            while True:
                c, _ = s.accept()
                threading.Thread(target=serve, args=(c,), daemon=True).start()
        threading.Thread(target=accept, daemon=True).start()
        for line in sys.stdin:
            for f in list(peers): say(f, line.strip())
        """

    // MARK: The extension

    /// To be called before the household's daemon is started.
    static func installExtension(_ home: Household) throws {
        let bundle = home.folder + "/data/mdhost/extensions/Article.mdext"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try ProgramCopy.make(of: PrivateDaemon.programs + "/ArticleExtension", at: bundle + "/ArticleExtension")
        let information: [String: Any] = [
            "CFBundleIdentifier": Self.extension, "CFBundleExecutable": "ArticleExtension",
            "CFBundleDisplayName": "Article Devices", "CFBundleShortVersionString": "1.0",
            "EXAppExtensionAttributes": ["EXExtensionPointIdentifier": "com.apple.media-device-extension"],
            "NSBonjourServices": ["_mdhost-article._tcp"],
            "UTExportedTypeDeclarations": [
                [
                    "UTTypeIdentifier": "org.example.article.sharing", "UTTypeDescription": "Article Sharing",
                    "UTTypeConformsTo": ["public.media-sharing-protocol"],
                ]
            ],
        ]
        try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
            .write(to: URL(filePath: bundle + "/Info.plist"))
    }

    struct LogLine: Decodable {
        var level, text: String
        var isFromHost: Bool
    }

    /// Returns the extension's log entries in a category, in order: level and text.
    static func log(
        _ category: String, of identifier: String = ArticleDevice.extension, _ home: Household
    ) async throws -> [String] {
        let text = try await home.succeed("extension", "logs", identifier, "--lines", "500", "--json")
        return try JSONLines.all(text, as: LogLine.self).filter { !$0.isFromHost }.compactMap { line in
            guard let place = line.text.range(of: "[\(category)] ") else { return nil }
            return "\(line.level) \(line.text[place.upperBound...])"
        }
    }
}
