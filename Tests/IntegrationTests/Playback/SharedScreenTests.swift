import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// `mdhost screen`: the screen of this computer on a device.
    @Suite struct SharedScreenTests {
        private static let renderer = "Living Room"

        /// What Kodi's window shows is the time that was painted moments before.
        @Test(Screen.IsThere()) func anXDisplayIsSeenAtKodi() async throws {
            try await Screen.kodi.seenOnly(by: "Kodi") { home in
                try await TestDesktop.showingTheTime {
                    let command = try home.start(
                        "screen", Screen.kodi.name, "--display", TestDesktop.display, "--no-sound")
                    try await home.session(on: Screen.kodi.name, "playing", within: .seconds(30)) {
                        $0.playback.isPlaying
                    }
                    var reading: TestDesktop.Reading?
                    try await eventually("a time in Kodi's window", within: .seconds(30)) {
                        reading = try await TestDesktop.readingAtKodi(seconds: 3)
                        return reading?.delay.median != nil
                    }
                    let delay = try #require(reading?.delay.median)
                    #expect(delay < 5000, "\(String(describing: reading))")
                    command.send(SIGINT)
                    #expect(await command.waitForExit() == 0, "\(command.errors)\n\(home.log)")
                    let name = "the X display \(TestDesktop.display) (1280x720) without sound on \(Screen.kodi.name)"
                    #expect(command.errors.contains("Showing " + name), "\(command.errors)")
                    #expect(try await home.sessions().isEmpty)
                }
                try await home.quit()
            }
        }

        @Test func theEndOfTheDisplayIsTheEndOfTheSession() async throws {
            try await Household.open { home in
                var command: RunningCommand?
                try await TestDesktop.showingTheTime {
                    command = try home.start("screen", Self.renderer, "--display", TestDesktop.display, "--no-sound")
                    try await home.session(on: Self.renderer, "playing", within: .seconds(30)) { $0.playback.isPlaying }
                }
                let ended = try #require(command)
                #expect(await ended.waitForExit() == 1)
                #expect(ended.errors.contains("is gone"), "\(ended.errors)")
                try await home.quit()
            }
        }

        @Test func itGoesOnWhenItWasDetached() async throws {
            try await Household.open { home in
                try await TestDesktop.showingTheTime {
                    try await home.succeed(
                        "screen", Self.renderer, "--display", TestDesktop.display, "--no-sound", "--detach")
                    try await home.session(on: Self.renderer, "past 2 s") {
                        $0.playback.isPlaying && $0.playback.position(at: monotonicNow()) > 2
                    }
                    try await home.succeed("stop", Self.renderer)
                    try await home.quit()
                }
            }
        }

        @Test func aMissingDisplayIsASentence() async throws {
            try await Household.open { home in
                let result = try await home.run("screen", Self.renderer, "--display", ":9999")
                #expect(
                    result.status != 0 && result.errors.contains("Couldn't capture the X display “:9999”"), "\(result)")
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }

        @Test(
            .enabled(
                if: TestDesktop.hasPortal,
                "needs xdg-desktop-portal, PipeWire, GStreamer's pipewire plugin, python3-dbus"))
        func theDesktopSharesAScreenAndEndsIt() async throws {
            try await Household.open { home in
                let end = home.folder + "/end"
                let command = try TestDesktop.start(
                    [Household.mdhost, "screen", Self.renderer, "--no-sound"], refusing: false, end: end, in: home)
                try await home.session(on: Self.renderer, "playing", within: .seconds(40)) { $0.playback.isPlaying }
                #expect(command.errors.contains("Select the screen to show on \(Self.renderer)"), "\(command.errors)")
                #expect(command.errors.contains("Showing the selected screen (1280x720)"), "\(command.errors)")
                #expect(FileManager.default.createFile(atPath: end, contents: nil))
                #expect(await command.waitForExit() == 1, "\(command.errors)")
                #expect(command.errors.contains("The desktop stopped sharing the screen."), "\(command.errors)")
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }

        /// Asked once, and not the second time, in the same desktop session.
        @Test(
            .enabled(
                if: TestDesktop.hasPortal,
                "needs xdg-desktop-portal, PipeWire, GStreamer's pipewire plugin, python3-dbus"))
        func theSameScreenIsSharedAgainWithoutAQuestion() async throws {
            try await Household.open { home in
                let show = "'\(Household.mdhost)' screen '\(Self.renderer)' --no-sound --again"
                let script = "\(show) --detach; '\(Household.mdhost)' stop '\(Self.renderer)'; \(show)"
                let command = try TestDesktop.start(
                    ["/bin/sh", "-c", script], refusing: false, end: home.folder + "/end", in: home)
                try await eventually("the second time", within: .seconds(60)) {
                    command.errors.components(separatedBy: "Showing the selected screen").count == 3
                }
                let said = command.errors.split(separator: "\n").filter { $0.contains("screen-desktop:") }
                #expect(
                    said == ["screen-desktop: a person was asked", "screen-desktop: the same again"],
                    "\(command.errors)")
                #expect(command.errors.components(separatedBy: "Select the screen").count == 2, "\(command.errors)")
                let file = home.folder + "/state/mdhost/screen-permission"
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                try await home.session(on: Self.renderer, "past 1 s", within: .seconds(40)) {
                    $0.playback.isPlaying && $0.playback.position(at: monotonicNow()) > 1
                }
                try await home.succeed("stop", Self.renderer)
                let status = await command.waitForExit()
                #expect(status == 0, "\(command.errors)")
                try await home.quit()
            }
        }

        @Test(
            .enabled(
                if: TestDesktop.hasPortal,
                "needs xdg-desktop-portal, PipeWire, GStreamer's pipewire plugin, python3-dbus"))
        func aRefusalReachesNoDevice() async throws {
            try await Household.open { home in
                let command = try TestDesktop.start(
                    [Household.mdhost, "screen", Self.renderer], refusing: true, end: home.folder + "/end", in: home)
                #expect(await command.waitForExit() != 0)
                #expect(command.errors.contains("Sharing the screen was refused on the desktop."), "\(command.errors)")
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }
    }
}
