import Foundation
import Testing

/// The system's requests to an app's remote extension, their order, and the handling of its answers.
@Suite(
    .serialized, .enabled(if: Desktop.isAvailable, "needs dbus-daemon, playerctl and busctl"),
    .timeLimit(.minutes(2 * slowness)))
struct RemoteExtensionTests {
    private func log(_ desktop: Desktop) async throws -> [String] {
        try await desktop.mdhost("extension", "logs", "Speakers").output.split(separator: "\n").map(String.init)
    }

    @Test func oneSessionIsMadeAndThenUpdated() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            let app = try desktop.app()
            app.tell("remote start living Hello")
            let player = try await desktop.player()
            app.tell("remote play living Hello")
            try await eventually("that it plays") {
                try await desktop.playerctl("--player", player, "status").output == "Playing\n"
            }
            // Sixty seconds at the instant that the attributes name.
            let text = try await desktop.playerctl("--player", player, "position").output
            #expect((59..<180).contains(Double(text.trimmingCharacters(in: .newlines)) ?? 0), "\(text)")
            #expect(try await desktop.playerctl("--player", player, "position", "100").status == 0)
            #expect(try await desktop.playerctl("--player", player, "pause").status == 0)
            let lines = try await log(desktop)
            #expect(lines.count { $0.hasSuffix("session living Hello") } == 1, "made once: \(lines)")
            #expect(lines.contains { $0.hasSuffix("update Hello") })
            #expect(lines.contains { $0.hasSuffix("command seek 100.0") })
            #expect(lines.contains { $0.hasSuffix("command pause") })
        }
    }

    @Test func itsPointMayStandInTheSourceAlone() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions(namesPoint: false)
            let app = try desktop.app()
            app.tell("remote start living Hello")
            try await app.printed("remote did start")
            #expect(try await desktop.player() == "mdhost.PublishingApp_remote1")
        }
    }

    @Test func itsPictureIsAFileAndWithoutContentThereIsNoPlayer() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            let app = try desktop.app()
            app.tell("remote start living Hello", "remote picture living Hello")
            let player = try await desktop.player()
            try await eventually("the picture") {
                try await desktop.playerctl("--player", player, "metadata", "mpris:artUrl").output
                    .hasPrefix("file://")
            }
            #expect(try await log(desktop).contains { $0.contains("artwork cover-1 512x512") })
            // Attributes without a title: its content is nil.
            app.tell("remote update living")
            try await eventually("no player") { try await desktop.players() == [] }
            app.tell("remote update living Again")
            _ = try await desktop.player()
        }
    }

    @Test func aDeviceWithoutALevelTakesSteps() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            let app = try desktop.app()
            app.tell("remote start living Hello", "remote steps living Hello")
            _ = try await desktop.player()
            try await eventually("a step up") { try await desktop.mdhost("now-playing", "volume", "+2").status == 0 }
            #expect(try await desktop.mdhost("now-playing", "volume", "-1").status == 0)
            let lines = try await log(desktop)
            #expect(
                lines.count { $0.hasSuffix("up 0") } == 2 && lines.count { $0.hasSuffix("down 0") } == 1, "\(lines)")
            #expect(try await desktop.mdhost("now-playing", "volume", "40").status == 6)
        }
    }

    @Test func anAppClaimsTheFirstPlaceForItsSession() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            let app = try desktop.app()
            app.tell("remote start living Hello")
            try await app.printed("remote primary living true")
            let local = try desktop.app()
            local.tell("title Local", "show", "playing 0")
            try await local.printed("roles true true")
            try await app.printed("remote primary living false")
            app.tell("remote claim living")
            try await app.printed("remote did claim")
            try await app.printed("remote primary living true", times: 2)
            try await local.printed("roles true false")
        }
    }

    @Test func theAppReadsTheTokenThatStartsSessions() async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            let app = try desktop.app()
            app.tell("remote token")
            var token = ""
            try await eventually("the token") {
                token = app.lines.first { $0.hasPrefix("remote token ") }.map { String($0.dropFirst(13)) } ?? ""
                return token.count == 64
            }
            #expect(try await desktop.mdhost("push", "token", "PublishingApp").output == token + "\n")
        }
    }
}
