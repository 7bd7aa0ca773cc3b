import Foundation
import Glibc
import Testing

extension Product {
    /// An app and an extension that are both written by the article alone, with the daemon between them.
    @Suite struct ArticleAppTests {
        /// `ArticleApp` as a process, which the daemon knows.
        private struct Running {
            let command: RunningCommand
            let keyboard: Keyboard

            static var article: [String: Any] { ["MDESupportedProtocols": ["org.example.article.sharing": ""]] }
            static var universal: [String: Any] { ["MDESupportsUniversalURLPlayback": true] }

            init(_ home: Household, declares: [String: Any]) async throws {
                let identity: [String: Any] = [
                    "CFBundleIdentifier": "org.example.article-app", "CFBundleDisplayName": "Article App",
                ]
                let information = identity.merging(declares) { $1 }
                try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
                    .write(to: URL(filePath: home.folder + "/App-Info.plist"))
                keyboard = try Keyboard(in: home.folder)
                command = try RunningCommand(
                    ["/bin/sh", "-c", "exec \"$0\" <'\(keyboard.path)'", PrivateDaemon.programs + "/ArticleApp"],
                    environment: home.environment.merging(["MDHOST_INFO_PLIST": home.folder + "/App-Info.plist"]) { $1 }
                )
                try await sees("added", times: 2)
            }

            var lines: [String] { command.output.split(separator: "\n").map(String.init) }

            func tell(_ line: String) { keyboard.type(line + "\n") }

            /// Returns the current value of `supportedExtensionAvailable`.
            func isAvailable() async throws -> Bool {
                let earlier = lines.count
                tell("available")
                try await eventually("an answer") { lines.count > earlier }
                return lines.last == "available true"
            }

            func sees(_ line: String, times: Int = 1) async throws {
                do {
                    try await eventually("“\(line)”") { lines.count { $0.hasPrefix(line) } >= times }
                } catch {
                    throw WaitedInVain(description: "\(error); it saw: \(lines) \(command.errors)")
                }
            }
        }

        @Test func theyAreRoutedTalkAndPlay() async throws {
            try await Household.open { home in
                try ArticleDevice.installExtension(home)
                // Made by a text, without an endpoint.
                let device = try await ArticleDevice.start(home, "Article Text")
                let app = try await Running(home, declares: Running.article.merging(Running.universal) { $1 })
                #expect(app.lines == ["added true", "added false"])
                try await eventually("the app and the device", within: .seconds(30)) {
                    try await home.run("route", "Article Text").status == 0
                }
                try await app.sees("activate Article Text")
                app.tell("send hello")
                try await app.sees("route data hello")
                app.tell("start http://10.77.0.4:8099/film.broken")
                try await app.sees("failed: The film is torn.")
                app.tell("start \(LabMedia.mp3)")
                try await app.sees("started")
                #expect(!app.lines.contains("refused") && app.lines.contains("twice false"))
                try await device.hears("load \(LabMedia.mp3)")
                app.tell("pause")
                try await device.hears("pause")
                app.tell("seek 30")
                try await device.hears("seek 30.0")
                device.says("title From the Device")
                try await eventually("its title") {
                    app.tell("title")
                    return app.lines.contains("title From the Device")
                }
                app.tell("stop")
                try await device.hears("stop")
                try await app.sees("added again false")
                try await home.succeed("route", "Article Text", "--off")
                try await app.sees("deactivate")
                #expect(app.lines.count { $0.hasPrefix("activate") || $0 == "deactivate" } == 2)
                await app.command.stop()
                await device.stop()
            }
        }

        @Test func theyTalkAgainAfterTheExtensionAndTheDaemonDied() async throws {
            try await Household.open { home in
                try ArticleDevice.installExtension(home)
                let device = try await ArticleDevice.start(home, "Article Phoenix")
                let app = try await Running(home, declares: Running.article.merging(Running.universal) { $1 })
                try await eventually("the app and the device", within: .seconds(30)) {
                    try await home.run("route", "Article Phoenix").status == 0
                }
                app.tell("send first")
                try await app.sees("route data first")
                try await home.killExtension(ArticleDevice.extension)
                try await eventually("an answer of the next process", within: .seconds(30)) {
                    app.tell("send second")
                    return app.lines.contains("route data second")
                }
                let daemon = try #require(home.daemon)
                kill(daemon, SIGKILL)
                try await eventually("an answer under the next daemon", within: .seconds(30)) {
                    app.tell("send third")
                    return app.lines.contains("route data third")
                }
                #expect(app.lines.count { $0 == "route data first" } == 1, "no message comes twice")
                await app.command.stop()
                await device.stop()
            }
        }

        /// Extensions that fit count, and no others.
        @Test func anAppAsksIfThereIsAnExtensionForIt() async throws {
            try await Household.open { home in
                let app = try await Running(home, declares: Running.article)
                #expect(app.lines == ["added true", "added false"])
                #expect(try await !app.isAvailable(), "those of other protocols")
                try ArticleDevice.installExtension(home)
                try await eventually("the extension counts") { try await app.isAvailable() }
                try await home.succeed("extension", "disable", ArticleDevice.extension)
                try await eventually("a disabled one doesn't") { try await !app.isAvailable() }
                try await home.succeed("extension", "enable", ArticleDevice.extension)
                try await eventually("an enabled one does") { try await app.isAvailable() }
                await app.command.stop()
                let universal = try await Running(home, declares: Running.universal)
                #expect(try await universal.isAvailable(), "any that plays URLs")
                await universal.command.stop()
                let undeclared = try await Running(home, declares: [:])
                #expect(undeclared.lines == ["added false", "added false"])
                #expect(try await !undeclared.isAvailable())
                await undeclared.command.stop()
            }
        }
    }
}
