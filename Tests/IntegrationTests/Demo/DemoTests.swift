import DBus
import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// `mdhost demo`: a device without hardware, for new users.
    @Suite struct DemoTests {
        @Test func isFoundPairedByTheCodeOnItsScreenAndPlayedTo() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study")
                let found = try #require(try await home.discover().first { $0.name == "Study" })
                #expect(found.endpoints.allSatisfy { $0.hasPrefix("127.0.0.1:") }, "on this machine alone: \(found)")
                #expect(Set(found.capabilities) == ["url-playback", "app-launch", "realtime-audio", "realtime-video"])

                let person = try await Typist.open(home, "pair", "Study")
                try await person.sees("4-digit code for Study:")
                person.type(try await demo.code(1) == "0000" ? "1111\n" : "0000\n")
                try await person.sees("The code is wrong.")
                try await demo.tells("pairing-failed")
                try await person.sees("4-digit code for Study:", times: 2)
                person.type(try await demo.code(2) + "\n")
                #expect(await person.end() == 0, "\(person.screen)")
                try await demo.tells("paired")

                // A paired device doesn't ask again, and the demo's sample plays.
                try await home.succeed("play", "Study", try await demo.ready().sample, "--detach")
                let session = try await home.session(on: "Study", "playing") { $0.playback.isPlaying }
                #expect(session.title == "The Sample" && session.playback.timeRange.duration == 120)
                #expect(session.playback.segments.count == 5 && session.playback.legibleOptions.count == 2)
                try await home.succeed("volume", "Study", "25")
                try await demo.tells { $0.event == "volume" && $0.level == "vol 25 %" }
                try await home.succeed("seek", "0:42")
                try await demo.tells { $0.event == "playing" && $0.position.map { $0.hasPrefix("42") } == true }
                try await home.succeed("pause")
                try await demo.tells("paused")
                try await home.succeed("stop")
                try await demo.tells("ended")
                #expect(await demo.close() == 0)
                try await home.quit()
            }
        }

        @Test func playsAFileOfThisMachine() async throws {
            try await Household.open { home in
                let file = home.folder + "/home recording.mp3"
                try await LabMedia.make(file, frequency: 500, seconds: 30)
                let demo = try await DemoDevice.open(home, "--name", "Open Study", "--open")
                try await home.succeed("play", "Open Study", file, "--detach")
                let session = try await home.session(on: "Open Study", "playing") { $0.playback.isPlaying }
                #expect(abs(session.playback.timeRange.duration - 30) < 1, "the length in the file: \(session)")
                try await demo.tells { $0.event == "fetching" && $0.url?.hasPrefix("http://127.0.0.1:") == true }
                #expect(await demo.close() == 0)
                // It is switched off while it plays.
                try await eventually("the end of playback") { try await home.sessions().allSatisfy(\.isOver) }
            }
        }

        @Test func isAGoogleCastGroup() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Cast Study", "--cast", "--group")
                try await eventually("the group and its speakers") {
                    let found = try await home.discover().filter { $0.protocolName == "Google Cast" }
                    return Set(found.map(\.name)) == ["Cast Study", "Cast Study Left", "Cast Study Right"]
                        && found.allSatisfy { $0.endpoints.allSatisfy { $0.hasPrefix("127.0.0.1:") } }
                }
                try await home.succeed("play", "Cast Study", try await demo.ready().sample, "--detach")
                let session = try await home.session(on: "Cast Study", "playing") { $0.playback.isPlaying }
                #expect(session.playback.timeRange.duration == 120)
                try await home.succeed("stop", "Cast Study")
                #expect(await demo.close() == 0)
                try await home.quit()
                let wrong = try await home.run("demo", "--group")
                #expect(wrong.status == 64 && wrong.errors.contains("--group with --cast"), "\(wrong)")
            }
        }

        @Test("a device that is unmuted keeps its level, from which steps count")
        func unmutingKeepsTheLevel() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Loud Study", "--open")
                try await home.succeed("volume", "Loud Study", "30")
                try await demo.tells { $0.event == "volume" && $0.level == "vol 30 %" }
                try await home.succeed("mute", "Loud Study")
                try await home.succeed("mute", "Loud Study", "--off")
                try await demo.tells { $0.event == "volume" && $0.level == "vol 30 %" }
                try await home.succeed("volume", "Loud Study", "+10")
                try await demo.tells { $0.event == "volume" && $0.level == "vol 40 %" }
                #expect(await demo.close() == 0)
                try await home.quit()
            }
        }

        @Test func aPromptCanBeCancelledAndAKeyOnTheDeviceCounts() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Pin Study", "--pin", "6")
                let person = try await Typist.open(home, "pair", "Pin Study")
                try await person.sees("6-digit code for Pin Study:")
                person.type("\u{3}")
                #expect(await person.end() == 130)
                try await demo.tells("pairing-cancelled")
                #expect(await demo.close() == 0)

                let device = try await Typist.open(home, "demo", "--name", "Key Study", "--confirm")
                try await device.sees("mdhost discover")
                let other = try await Typist.open(home, "pair", "Key Study")
                try await other.sees("Press Return once Key Study is confirmed")
                try await device.sees("Press y for yes")
                device.type("y")
                #expect(await other.end() == 0, "nobody has to press Return: \(other.screen)")
                device.type("q")
                #expect(await device.end() == 0, "\(device.screen)")
            }
        }

        @Test func anApplicationHasADataChannel() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "App Study", "--open")
                let device = try #require(try await home.discover().first { $0.name == "App Study" })
                let client = try await HostClient.connect(to: home.socket, launching: false)
                let url = try #require(URL(string: "echo://hello"))
                let path = try await client.play(url, on: device.path, application: "org.mdhost.reference.echo")
                let signals = try await client.connection.signals(path: path, member: "DataReceived")
                try await client.call(
                    path, interface: HostNames.sessionInterface, "SendData", [.bytes(Array("ping".utf8))])
                for await signal in signals {
                    #expect(signal.arguments.first?.asBytes == Array("ping".utf8))
                    break
                }
                try await demo.tells("data")
                do throws(HostError) {
                    _ = try await client.play(url, on: device.path, application: "org.example.none")
                    Issue.record("an application that is not there runs")
                } catch {
                    #expect(error.message.contains("There is no application “org.example.none”"), "\(error)")
                }
                await client.connection.close()
                #expect(await demo.close() == 0)
            }
        }

        @Test(arguments: [
            ("format", "unsupported-format", Int32(6)), ("media", "unreachable-url", 5), ("busy", "device-in-use", 1),
        ])
        func showsAFailureOnDemand(_ failure: String, _ code: String, _ status: Int32) async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Broken Study", "--open", "--fail", failure)
                let result = try await home.run(
                    "play", "Broken Study", try await demo.ready().sample, "--detach", "--json")
                #expect(result.status == status, "\(result)")
                #expect(try JSONLines.one(result.errors, as: PrintedError.self).error.code == code)
                #expect(await demo.close() == 0)
            }
        }
    }
}

/// A running `mdhost demo --json` and its output.
final class DemoDevice: Sendable {
    struct Line: Decodable {
        var event: String
        var code, level, position, rate, sample, time, title, url: String?
    }

    struct Ready {
        var sample: String
    }

    private let command: RunningCommand

    private init(_ command: RunningCommand) { self.command = command }

    /// Returns once it can be found.
    static func open(_ home: Household, _ arguments: String...) async throws -> DemoDevice {
        let demo = DemoDevice(
            try RunningCommand([Household.mdhost, "demo", "--json"] + arguments, environment: home.environment))
        _ = try await demo.ready()
        return demo
    }

    var lines: [Line] { (try? JSONLines.all(command.output)) ?? [] }

    func tells(_ fits: @escaping (Line) -> Bool) async throws {
        do {
            try await eventually("a word of the demo") { lines.contains(where: fits) }
        } catch {
            throw WaitedInVain(description: "\(error); it told: \(command.output) \(command.errors)")
        }
    }

    /// Returns whether it has printed the event.
    func told(_ event: String) -> Bool { lines.contains { $0.event == event } }

    func tells(_ event: String) async throws { try await tells { $0.event == event } }

    func ready() async throws -> Ready {
        try await tells("ready")
        return Ready(sample: try #require(lines.first { $0.event == "ready" }?.sample))
    }

    /// The code it shows, once it showed so many.
    func code(_ number: Int) async throws -> String {
        try await eventually("code \(number) of the demo") { lines.count { $0.event == "code" } >= number }
        return try #require(lines.filter { $0.event == "code" }[number - 1].code)
    }

    /// Switches it off.
    ///
    /// - Returns: Its exit code.
    func close() async -> Int32 {
        command.send(SIGINT)
        return await command.waitForExit()
    }
}
