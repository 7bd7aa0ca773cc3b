import Foundation
import HostClient
import HostInterface
import Testing

/// The primary session among several apps, and the command that acts on it.
@Suite(
    .serialized, .enabled(if: Desktop.isAvailable, "needs dbus-daemon, playerctl and busctl"),
    .timeLimit(.minutes(2 * slowness)))
struct PrimaryTests {
    private func primary(_ desktop: Desktop) async throws -> ClientMediaSession? {
        let result = try await desktop.mdhost("now-playing", "--json")
        return result.status == 0 ? try JSONLines.one(result.output) : nil
    }

    @Test func whoBeginsToPlayIsFirstAndTheOtherIsTold() async throws {
        try await Desktop.open { desktop in
            let nothing = try await desktop.mdhost("now-playing")
            #expect(nothing.status == 2 && nothing.errors.contains("Nothing plays."), "\(nothing)")
            let (one, two) = (try desktop.app(), try desktop.app())
            one.tell("title One", "show", "playing 0")
            try await one.printed("roles true true")
            two.tell("title Two", "show")
            try await two.printed("roles true false")
            two.tell("playing 0")
            try await two.printed("roles true true")
            try await one.printed("roles true false")
            #expect(try await primary(desktop)?.state.content?.title == "Two")
            #expect(try await desktop.mdhost("now-playing", "pause").status == 0)
            try await two.printed("command pause")
            #expect(!one.lines.contains("command pause"))
            #expect(try await desktop.mdhost("now-playing", "seek", "1:30").status == 0)
            try await two.printed("command seek 90.0")
            #expect(try await desktop.mdhost("now-playing", "volume", "50").status == 6)
            two.process.send(SIGKILL)
            try await one.printed("roles true true", times: 2)
            #expect(try await primary(desktop)?.state.content?.title == "One")
        }
    }

    @Test func requestsMoveTheRolesWithinTheAppAndBeyond() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("title First", "show", "playing 0")
            try await app.printed("roles true true")
            app.tell("second Second", "application")
            try await app.printed("granted application")
            try await app.printed("roles false false")
            #expect(try await primary(desktop)?.state.content?.title == "Second")
            let list = try await desktop.mdhost("now-playing", "list", "--json").output
            #expect(list.contains("First") && list.contains("Second"))
            let other = try desktop.app()
            other.tell("title Other", "show")
            try await other.printed("roles true false")
            other.tell("system")
            try await other.printed("granted system")
            try await other.printed("roles true true")
        }
    }

    @Test func othersArePausedWhereThePersonWantsIt() async throws {
        try await Desktop.open { desktop in
            #expect(try await desktop.mdhost("now-playing", "settings", "--pause-others").status == 0)
            let (one, two) = (try desktop.app(), try desktop.app())
            one.tell("show", "playing 0")
            try await one.printed("roles true true")
            two.tell("show", "playing 0")
            try await one.printed("command pause")
            let settings = try await desktop.mdhost("now-playing", "settings")
            #expect(settings.output == "pause-others  on\n")
        }
    }

    @Test func followingPrintsEveryChange() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("title One", "show")
            try await app.printed("roles true true")
            let follower = try RunningCommand(
                [PrivateDaemon.program, "now-playing", "--follow"], environment: desktop.environment)
            try await eventually("the first") {
                follower.output.contains("‖  0:00 / 4:00  One · Artist  (PublishingApp)")
            }
            app.tell("title Two")
            try await eventually("the change") { follower.output.contains("Two · Artist") }
            app.tell("hide")
            try await eventually("the end") { follower.output.contains("Nothing plays.") }
            follower.send(SIGINT)
            #expect(await follower.waitForExit() == 0)
        }
    }
}
