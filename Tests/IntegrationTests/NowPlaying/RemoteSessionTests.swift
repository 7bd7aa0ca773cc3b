import Foundation
import Testing

/// Remote sessions of an app, represented by its extension in a process of its own.
@Suite(
    .serialized, .enabled(if: Desktop.isAvailable, "needs dbus-daemon, playerctl and busctl"),
    .timeLimit(.minutes(2 * slowness)))
struct RemoteSessionTests {
    private func sessions(_ desktop: Desktop) async throws -> String {
        try await desktop.mdhost("now-playing", "list").output
    }

    private func shows(_ text: String, _ desktop: Desktop) async throws {
        try await eventually("“\(text)” in the list") { try await sessions(desktop).contains(text) }
    }

    @Test func anAppsSessionIsAPlayerAndDoesWhatPeopleAsk() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            let app = try desktop.app()
            app.tell("remote start living Hello")
            try await app.printed("remote did start")
            try await app.printed("remote primary living true")
            let player = try await desktop.player()
            #expect(player == "mdhost.PublishingApp_remote1")
            app.tell("remote play living Hello", "remote devices living Hello")
            try await shows("Kitchen + Bath", desktop)
            #expect(try await desktop.playerctl("--player", player, "metadata", "title").output == "Hello\n")
            #expect(try await desktop.playerctl("--player", player, "play").status == 0)
            try await eventually("playing") {
                try await desktop.playerctl("--player", player, "status").output == "Playing\n"
            }
            #expect(try await desktop.playerctl("--player", player, "pause").status == 0)
            try await eventually("paused") {
                try await desktop.playerctl("--player", player, "status").output == "Paused\n"
            }
            let next = try await desktop.mdhost("now-playing", "next")
            #expect(next.status == 1 && next.errors.contains("The speaker is on fire."))
            #expect(try await desktop.mdhost("now-playing", "volume", "40").status == 0)
            try await eventually("the volume") {
                try await desktop.mdhost("now-playing", "volume").output == "40 %\n"
            }
            let log = try await desktop.mdhost("extension", "logs", "Speakers").output
            #expect(log.contains("level 0 0.4") && log.contains("level 1 0.2"))
            app.tell("remote end living")
            try await eventually("its end") { try await desktop.players() == [] }
            try await app.printed("remote primary living false")
        }
    }

    @Test func whatIsWrongIsToldAndChangesNothing() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("remote start living Hello")
            // No extension is installed.
            try await app.printed("remote failed start internalFailure")
            try desktop.installRemoteSessions()
            try await eventually("the extension") {
                try await desktop.mdhost("extension", "list").output.contains("Speakers")
            }
            app.tell("remote start bad fails")
            try await app.printed("remote failed start internalFailure", times: 2)
            app.tell("remote start living Hello", "remote foreign living")
            try await app.printed("remote failed foreign invalidAttributes")
            try await shows("Hello · Artist", desktop)
        }
    }

    @Test func aCrashOfTheExtensionIsMendedAndSessionsGoOn() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            let app = try desktop.app()
            app.tell("remote start living Hello")
            try await shows("Hello · Artist", desktop)
            // Its process ends in the middle of the command.
            #expect(try await desktop.mdhost("now-playing", "stop").status == 1)
            try await shows("Hello · Artist", desktop)
            try await eventually("a command to work again") {
                try await desktop.mdhost("now-playing", "play").status == 0
            }
        }
    }

    @Test func aKilledDaemonShowsThemAgainAndTheNextUpdateApplies() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            let app = try desktop.app()
            app.tell("remote start living Hello", "remote play living Hello", "remote start bath Other")
            try await shows("Other · Artist", desktop)
            let daemon = try #require(desktop.daemon)
            kill(daemon, SIGKILL)
            // The app's connection has the daemon started again, and the desktop shows both without their extension.
            try await eventually("both sessions") {
                let list = try await sessions(desktop)
                return list.contains("Hello · Artist") && list.contains("Other · Artist")
            }
            #expect(desktop.daemon != daemon)
            #expect(try await desktop.players().count == 2)
            app.tell("remote update living Again")
            try await shows("Again · Artist", desktop)
            app.tell("remote list")
            try await app.printed("remote has living")
            try await app.printed("remote has bath")
        }
    }
}

extension Desktop {
    /// Installs the extension that represents the remote playback of `PublishingApp`.
    ///
    /// - Parameter namesPoint: `true` if its property list names the extension point; its source always does.
    func installRemoteSessions(namesPoint: Bool = true) throws {
        let bundle = folder + "/data/mdhost/extensions/Speakers.mdext"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try ProgramCopy.make(
            of: PrivateDaemon.programs + "/RemoteSessionExtension", at: bundle + "/RemoteSessionExtension")
        let point = """
            <key>EXAppExtensionAttributes</key>
            <dict><key>EXExtensionPointIdentifier</key><string>com.apple.nowplaying.remote-media</string></dict>
            """
        let information = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>PublishingApp.remote</string>
            <key>CFBundleExecutable</key><string>RemoteSessionExtension</string>
            <key>CFBundleDisplayName</key><string>Speakers</string>
            \(namesPoint ? point : "")
            </dict></plist>
            """
        try Data(information.utf8).write(to: URL(filePath: bundle + "/Info.plist"))
    }
}
