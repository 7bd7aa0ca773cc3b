import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Apps by the routing article as processes, routed by a person to `mdhost demo` and to receivers of the lab.
    @Suite struct RoutedAppTests {
        private func activated(_ device: String) -> String { "activate \(device), \(RoutedApp.protocol), tv" }

        @Test func aWrongThenTheRightCodeThenTheArticlesOrder() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Route Study")
                let app = try await RoutedApp.open(home, "--mode", "application", "echo://hello")
                let person = try await Typist.open(home, "route", "Route Study")
                try await person.sees("4-digit code for Route Study:")
                #expect(app.events.isEmpty, "the device is not open yet")
                person.type(try await demo.code(1) == "0000" ? "1111\n" : "0000\n")
                try await person.sees("2 attempts left.")
                try await person.sees("4-digit code for Route Study:", times: 2)
                person.type(try await demo.code(2) + "\n")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(person.screen.contains("Routed Film App to Route Study."))
                try await app.sees("session data: ping")
                #expect(
                    app.lines.filter { $0 != "plays" && $0 != "does not play" } == [
                        "waiting", activated("Route Study"), "route channel: sent",
                        "session application: started, channel", "session data: ping",
                    ])
                #expect(try await home.device("Route Study").activation == "active")
                let off = try await home.succeed("route", "Route Study", "--off")
                #expect(off == "Film App no longer uses Route Study.\n")
                #expect(app.events == [activated("Route Study"), "deactivate Route Study"])
                try await eventually("it is let go") { try await home.device("Route Study").activation == "idle" }
                let again = try await home.run("route", "Route Study", "--off")
                #expect(again.status == 2 && again.errors.contains("No app is routed to Route Study."), "\(again)")
                #expect(app.events.count == 2)
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        @Test func aCancelledPickTellsTheAppNothing() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Cancel Study")
                let app = try await RoutedApp.open(home, "http://192.0.2.1/film.mp4")
                let person = try await Typist.open(home, "route", "Cancel Study")
                try await person.sees("4-digit code for Cancel Study:")
                person.type("\u{3}")
                #expect(await person.end() == 130, "\(person.screen)")
                try await demo.tells("pairing-cancelled")
                try await eventually("it is let go") { try await home.device("Cancel Study").activation == "idle" }
                let wrong = try await home.run("route", "Cancel Study", input: "0000\n")
                #expect(wrong.status == 4 && wrong.errors.contains("The code is wrong."), "\(wrong)")
                #expect(app.events.isEmpty)
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        @Test func anAppThatDeclinesLetsTheDeviceGo() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Decline Study", "--open")
                let app = try await RoutedApp.open(home, "--decline", "http://192.0.2.1/film.mp4")
                let result = try await home.run("route", "Decline Study")
                #expect(result.status == 1 && result.errors.contains("Film App declined Decline Study."), "\(result)")
                try await eventually("it is let go") { try await home.device("Decline Study").activation == "idle" }
                #expect(app.events == [activated("Decline Study")])
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        @Test func bothModesOneAfterTheOther() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Mode Study", "--open")
                let app = try await RoutedApp.open(home, "--mode", "none", try await demo.ready().sample)
                app.type("start player")
                try await app.sees("session player: no route")
                try await home.succeed("route", "Mode Study")
                try await app.sees("route channel: sent")
                app.type("start player")
                try await app.sees("session player: started, no channel")
                try await app.sees("plays")
                app.type("pause")
                try await app.sees("does not play")
                app.type("start application")
                try await app.sees("session application: started, channel")
                try await app.sees("ended: Another session replaced it.")
                #expect(try await home.sessions().count == 1)
                app.type("stop")
                try await app.sees("stopped")
                try await eventually("the end") { try await home.sessions().isEmpty }
                #expect(try await home.device("Mode Study").activation == "active", "the route stays")
                try await home.succeed("route", "Mode Study", "--off")
                app.type("start player")
                try await app.sees("session player: no route", times: 2)
                #expect(app.events == [activated("Mode Study"), "deactivate Mode Study"])
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        @Test func aSecondAppGetsTheDeviceOnceTheFirstIsQuiet() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Shared Study", "--open")
                let sample = try await demo.ready().sample
                let first = try await RoutedApp.open(home, name: "First", sample)
                let second = try await RoutedApp.open(home, name: "Second", "--mode", "none", sample)
                try await home.succeed("route", "Shared Study", "--app", "First")
                try await first.sees("plays")
                let refused = try await home.run("route", "Shared Study", "--app", "Second")
                #expect(refused.status == 1 && refused.errors.contains("First plays on Shared Study"), "\(refused)")
                #expect(second.events.isEmpty)
                first.type("pause")
                try await home.session(on: "Shared Study", "paused") { !$0.playback.isPlaying }
                try await home.succeed("route", "Shared Study", "--app", "Second")
                try await second.sees("route channel: sent")
                #expect(first.events == [activated("Shared Study"), "deactivate Shared Study"])
                #expect(second.events == [activated("Shared Study")])
                // An app that dies lets the device go.
                await second.kill()
                try await eventually("it is let go") { try await home.device("Shared Study").activation == "idle" }
                await first.quit()
                #expect(await demo.close() == 0)
            }
        }

        @Test func anotherDeviceIsPicked() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Moved Study", "--open")
                let app = try await RoutedApp.open(home, LabMedia.mp3)
                _ = try await home.discover()
                try await home.succeed("route", "Living Room")
                try await Renderer.livingRoom.awaitState("PLAYING")
                try await home.succeed("route", "Moved Study")
                try await app.sees("activate Moved Study")
                try await app.sees("session player: started", times: 2)
                try await Renderer.livingRoom.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                let names = app.events.map { $0.prefix { $0 != "," } }
                #expect(names == ["activate Living Room", "deactivate Living Room", "activate Moved Study"])
                // A daemon that leaves without a successor ends it, too.
                try await home.succeed("daemon", "--quit")
                try await app.sees("deactivate Moved Study")
                #expect(app.events.count == 4)
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        @Test func aDeviceThatGoesEndsItsRouteAndComesBack() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Gone Study", "--open")
                let app = try await RoutedApp.open(home, "--mode", "none", try await demo.ready().sample)
                try await home.succeed("route", "Gone Study")
                try await app.sees("route channel: sent")
                #expect(await demo.close() == 0)
                try await app.sees("deactivate Gone Study", within: .seconds(90))
                #expect(app.events.count == 2)
                let next = try await DemoDevice.open(home, "--name", "Gone Study", "--open")
                try await eventually("it is routed again", within: .seconds(30)) {
                    try await home.run("route", "Gone Study").status == 0
                }
                try await app.sees("route channel: sent", times: 2)
                #expect(app.events.count == 3)
                await app.quit()
                #expect(await next.close() == 0)
            }
        }

        @Test func anExtensionThatDiesChangesNothingForTheApp() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Steady Study", "--open")
                let app = try await RoutedApp.open(home, try await demo.ready().sample)
                try await home.succeed("route", "Steady Study")
                try await app.sees("plays")
                try await home.killExtension(try await home.device("Steady Study").extension)
                try await home.session(on: "Steady Study", "active again", within: .seconds(20)) {
                    $0.state == "active" && $0.playback.isPlaying
                }
                app.type("same")
                try await app.sees("same: yes, Steady Study, no error")
                app.type("pause")
                try await home.session(on: "Steady Study", "paused") { !$0.playback.isPlaying }
                #expect(app.events == [activated("Steady Study")])
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        /// At any moment of an app's use of its route.
        @Test func aDaemonThatIsKilledAgainAndAgainChangesNothingForTheApp() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Lasting Study", "--open")
                let app = try await RoutedApp.open(home, try await demo.ready().sample)
                try await home.succeed("route", "Lasting Study")
                try await app.sees("plays")
                for round in 1...20 {
                    let wantsToPlay = round.isMultiple(of: 2)
                    app.type(wantsToPlay ? "play" : "pause")
                    // The random moment is the subject of this test.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...400)))
                    let daemon = try #require(home.daemon)
                    kill(daemon, SIGKILL)
                    try await eventually("the next daemon") { home.daemon != daemon }
                    try await app.isKnown(home)
                    try await home.session(on: "Lasting Study", "active in round \(round)", within: .seconds(30)) {
                        $0.state == "active"
                    }
                    app.type("same")
                    try await app.sees("same: yes, Lasting Study, no error", times: round)
                    #expect(app.events == [activated("Lasting Study")], "round \(round)")
                }
                app.type("pause")
                try await home.session(on: "Lasting Study", "paused") { !$0.playback.isPlaying }
                try await home.succeed("route", "Lasting Study", "--off")
                #expect(app.events == [activated("Lasting Study"), "deactivate Lasting Study"])
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }
    }
}
