import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Problems in a routed app, as shown to the person who picked the device.
    @Suite struct RoutedProblemTests {
        @Test func whyAnAppDeclinesIsToldToWhoeverPicked() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Reason Study", "--open")
                let app = try await RoutedApp.open(home, "--first", "http://192.0.2.1:1/film.mp4")
                let result = try await home.run("route", "Reason Study", "--json")
                #expect(result.status == 1, "\(result)")
                let line = try #require(app.lines.first { $0.hasPrefix("session player: ") })
                let reason = line.dropFirst("session player: ".count)
                #expect(!reason.isEmpty && !reason.hasPrefix("started"), "\(line)")
                let error = try #require((result.json as? [String: Any])?["error"] as? [String: Any])
                #expect(error["code"] as? String == "application-declined")
                #expect(error["message"] as? String == "Film App declined Reason Study: \(reason)")
                try await eventually("it is let go") { try await home.device("Reason Study").activation == "idle" }
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        @Test func anErrorOfADataDelegateIsTold() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Message Study", "--open")
                let app = try await RoutedApp.open(home, "--reject", "--first", "--mode", "application", "echo://hello")
                try await home.succeed("route", "Message Study")
                let sentence = "a message of 4 bytes was not processed: This app takes no messages."
                // Its echo arrives while the app handles the route, or just after.
                try await eventually("the device's status") {
                    try await home.device("Message Study").lastError?.message
                        == "Film App with Message Study: \(sentence)"
                }
                #expect(home.log.contains(sentence))
                #expect(app.events.count == 1, "the route stays")
                let status = try await home.succeed("status", "Message Study")
                #expect(status.contains("This app takes no messages."), "\(status)")
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        /// The moment is anywhere in `start()`, or just before or after.
        @Test func aStartThatTheDaemonsDeathInterruptsIsDoneByTheNext() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Start Study", "--open")
                let app = try await RoutedApp.open(home, "--mode", "none", try await demo.ready().sample)
                try await home.succeed("route", "Start Study")
                try await app.sees("route channel: sent")
                for round in 1...20 {
                    let daemon = try #require(home.daemon)
                    app.type("start player")
                    // The random moment is the subject of this test.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...120)))
                    kill(daemon, SIGKILL)
                    try await app.sees("session player: started, no channel", times: round, within: .seconds(40))
                    try await eventually("the next daemon") { home.daemon != daemon }
                    try await app.isKnown(home)
                    try await home.session(on: "Start Study", "plays in round \(round)", within: .seconds(30)) {
                        $0.state == "active" && $0.playback.isPlaying
                    }
                    #expect(try await home.sessions().count == 1, "round \(round)")
                    app.type("same")
                    try await app.sees("same: yes, Start Study, no error", times: round)
                    #expect(app.events.count == 1, "round \(round)")
                }
                app.type("stop")
                try await eventually("the end") { try await home.sessions().isEmpty }
                try await home.succeed("route", "Start Study", "--off")
                #expect(app.events.count == 2)
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }

        /// The app of `examples/routing-snippets`: the article's spelling.
        @Test func theArticlesAppIsRoutedAsItIs() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Article Study", "--open")
                let app = try await RoutedApp.open(home, name: "Article App", program: "MediaAppArticle")
                try await home.succeed("route", "Article Study")
                let session = try await home.session(on: "Article Study", "active") { $0.state == "active" }
                #expect(session.application == "org.mdhost.reference.echo")
                try await home.succeed("route", "Article Study", "--off")
                try await eventually("the end") { try await home.sessions().isEmpty }
                app.type("")
                await app.ended()
                #expect(app.lines.contains("Received 5 bytes"), "\(app.lines)")
                #expect(await demo.close() == 0)
            }
        }
    }
}
