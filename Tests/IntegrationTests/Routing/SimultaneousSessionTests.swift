import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Two apps with an extension that declares `supportsSimultaneousSessions`, and one that doesn't.
    @Suite struct SimultaneousSessionTests {
        @Test func twoAppsPlayOnTwoRenderersOfAnExtensionThatSupportsIt() async throws {
            let rygel = try await Renderer.rygel()
            try await Household.open { home in
                _ = try await home.discover()
                #expect(
                    try await home.device(Renderer.livingRoom.name).extension
                        == home.device(rygel.name).extension)
                let first = try await RoutedApp.open(home, name: "First", "--mode", "none", LabMedia.mp3)
                let second = try await RoutedApp.open(home, name: "Second", "--mode", "none", LabMedia.flac)
                for (app, renderer) in [(first, Renderer.livingRoom), (second, rygel)] {
                    try await home.succeed("route", renderer.name, "--app", app.name)
                    app.type("start player")
                    try await app.sees("plays")
                    try await renderer.awaitState("PLAYING")
                }
                #expect(try await home.sessions().count == 2)
                #expect(try await Renderer.livingRoom.state() == "PLAYING")
                #expect(try await Renderer.livingRoom.address() != rygel.address())
                #expect(first.events.count == 1 && second.events.count == 1)

                // Each controls its own.
                second.type("pause")
                try await rygel.awaitState("PAUSED_PLAYBACK")
                #expect(try await Renderer.livingRoom.state() == "PLAYING")
                try await home.succeed("route", rygel.name, "--off")
                try await rygel.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                #expect(try await Renderer.livingRoom.state() == "PLAYING")
                #expect(first.events.count == 1, "\(first.events)")
                #expect(second.events.last == "deactivate \(rygel.name)")

                // A DLNA device itself plays for one app at a time.
                let refused = try await home.run("route", Renderer.livingRoom.name, "--app", "Second")
                #expect(refused.status == 1 && refused.errors.contains("First plays on"), "\(refused)")
                first.type("pause")
                try await Renderer.livingRoom.awaitState("PAUSED_PLAYBACK")
                try await home.session(on: Renderer.livingRoom.name, "paused") { !$0.playback.isPlaying }
                try await home.succeed("route", Renderer.livingRoom.name, "--app", "Second")
                #expect(first.events.last == "deactivate \(Renderer.livingRoom.name)")
                second.type("start player")
                try await second.sees("plays", times: 2)
                try await Renderer.livingRoom.awaitState("PLAYING")
                await first.quit()
                await second.quit()
            }
        }

        @Test func anExtensionThatDoesNotHasOneSessionOnAllItsDevices() async throws {
            try await Household.open { home in
                try ArticleDevice.installExtension(home)
                let devices = [
                    try await ArticleDevice.start(home, "Article One"),
                    try await ArticleDevice.start(home, "Article Two", on: "a"),
                ]
                _ = try await home.discover()
                let first = try await RoutedApp.open(home, name: "First", "--mode", "none", LabMedia.mp3)
                let second = try await RoutedApp.open(home, name: "Second", "--mode", "none", LabMedia.flac)
                try await home.succeed("route", "Article One", "--app", "First")
                first.type("start player")
                try await devices[0].hears("load \(LabMedia.mp3)")
                devices[0].says("playing 1")
                try await first.sees("plays")

                let refused = try await home.run("route", "Article Two", "--app", "Second")
                #expect(
                    refused.status == 1
                        && refused.errors.contains("First plays on Article One, and Article Devices uses one device"),
                    "\(refused)")
                // Nothing but the host's look whether it is there.
                #expect(devices[1].lines.allSatisfy { $0 == "gone" } && second.events.isEmpty)
                // A volume in passing ends nothing either.
                let level = try await home.run("volume", "Article Two", "30%")
                #expect(level.status != 0 && level.errors.contains("Article One is in use"), "\(level)")

                devices[0].says("paused 5")
                try await home.session(on: "Article One", "paused") { !$0.playback.isPlaying }
                try await home.succeed("route", "Article Two", "--app", "Second")
                try await eventually("the first is let go") {
                    try await home.device("Article One").activation == "idle"
                }
                #expect(first.events.last == "deactivate Article One")
                second.type("start player")
                try await devices[1].hears("load \(LabMedia.flac)")
                #expect(try await home.sessions().count == 1)

                // A person takes it from any app.
                devices[1].says("playing 1")
                try await second.sees("plays")
                try await home.succeed("play", "Article One", LabMedia.mp3, "--detach")
                try await devices[0].hears("load \(LabMedia.mp3)", times: 2)
                try await eventually("the second is let go") {
                    try await home.device("Article Two").activation == "idle"
                }
                #expect(second.events.last == "deactivate Article Two")
                await first.quit()
                await second.quit()
                for device in devices { await device.stop() }
            }
        }
    }
}
