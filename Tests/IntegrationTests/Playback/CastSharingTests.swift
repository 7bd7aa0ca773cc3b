import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// A Google Cast device that others use as well, a group, and an app of its own.
    @Suite(.enabled(if: CastDevice.hasOtherSender, "needs python3-pychromecast"))
    struct CastSharingTests {
        @Test func anotherSendersPlaybackIsControlledAndNotStolen() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Common Cast", in: home) { device in
                    let nothing = try await home.run("pause", device.name)
                    #expect(
                        nothing.status == 2 && nothing.errors.contains("Nothing plays on Common Cast"), "\(nothing)")
                    try await device.otherSender("play", CastDevice.clip, "video/mp4")
                    try await home.succeed("pause", device.name)
                    try await device.plays("PAUSED")
                    let session = try await home.session(on: device.name, "paused") { !$0.playback.isPlaying }
                    #expect(session.isOthers && abs(session.playback.timeRange.duration - 20) < 0.5)
                    let status = try await home.succeed("status", device.name)
                    #expect(status.contains("started by another sender"), "\(status)")
                    try await home.succeed("seek", device.name, "0:05")
                    try await device.plays("PAUSED", at: 5)
                    try await home.succeed("volume", device.name, "30")
                    try await device.tells("30 %") { $0.event == "volume" && abs(($0.level ?? 0) - 0.3) < 0.01 }
                    try await device.otherSender("resume")
                    try await home.session(on: device.name, "resumed there") { $0.playback.isPlaying }
                    // The daemon exits, and the playback continues.
                    try await home.quit()
                    #expect(try await device.otherSender("status").state == "PLAYING")
                    try await home.succeed("stop", device.name)
                    try await device.plays("IDLE CANCELLED")
                    #expect(device.events.count { $0.event == "loading" } == 1)
                    try await home.quit()
                }
            }
        }

        @Test func whoTookOverIsTold() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Taken Cast", in: home) { device in
                    async let ended = home.run("play", device.name, CastDevice.clip, within: .seconds(40))
                    try await device.plays("PLAYING")
                    try await device.otherSender("launch", "233637DE")
                    let result = try await ended
                    #expect((result.output + result.errors).contains("“YouTube” took over there."), "\(result)")
                    try await home.quit()
                }
            }
        }

        @Test func theDevicesOfAGroupAreShownAndFollowed() async throws {
            try await Household.open { home in
                try await CastDevice.run(
                    named: "Whole House", "--group", "--member", "Hall", "--member", "Attic", in: home
                ) { group in
                    func members(_ expected: [String: Double]) async throws {
                        try await eventually("the members \(expected)") {
                            let found = try await home.device("Whole House").members
                            return found.count == expected.count
                                && found.allSatisfy { abs(($0.volume ?? -1) - (expected[$0.name] ?? -2)) < 0.02 }
                        }
                    }
                    try await home.succeed("play", group.name, LabMedia.mp3, "--detach")
                    try await members(["Hall": 0.5, "Attic": 0.5])
                    let found = try await home.device("Whole House").members.map(\.id)
                    #expect(Set(found) == [try await home.device("Hall").id, try await home.device("Attic").id])
                    // A member's volume is that of the device, and the group's is their mean.
                    try await home.succeed("volume", "Hall", "20")
                    try await members(["Hall": 0.2, "Attic": 0.5])
                    try await home.succeed("volume", "Whole House", "45")
                    try await members(["Hall": 0.3, "Attic": 0.6])
                    try await group.otherSender("leave", "Attic")
                    try await members(["Hall": 0.3])
                    try await group.otherSender("enter", "Attic")
                    try await eventually("both") { try await home.device("Whole House").members.count == 2 }
                    #expect(try await home.succeed("status", "Whole House").contains("Hall 30 %"))
                    try await home.succeed("stop", "Whole House")
                    try await home.quit()
                }
            }
        }

        @Test func anAppTalksToItsOwnReceiver() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "App Cast", in: home) { device in
                    let app = try await RoutedApp.open(home, "--mode", "application", "echo://hello")
                    try await home.succeed("route", "App Cast")
                    try await app.sees("session application: started, channel")
                    try await app.sees("session data: ping")
                    try await device.tells("the app") { $0.event == "launched" && $0.app == "Echo" }
                    try await device.tells("its message") { $0.event == "message" && $0.text == "ping" }
                    #expect(!device.events.contains { $0.event == "loading" }, "a URL of its own isn't media")
                    try await home.succeed("route", "App Cast", "--off")
                    try await device.tells("the end of the app") { $0.event == "app-ended" }
                    await app.quit()
                    try await home.quit()
                }
            }
        }

        @Test func anAppThatTheDeviceDoesNotKnowIsRefused() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Strict Cast", in: home) { device in
                    let error = await #expect(throws: HostError.self) {
                        try await start("DEADBEEF", CastDevice.clip, on: device.name, in: home)
                    }
                    #expect(error?.message.contains("doesn't know the app DEADBEEF") == true, "\(error as Any)")
                    // Neither media nor messages, but it runs.
                    try await start("0DE30EC1", "quiet://x", on: device.name, in: home)
                    try await home.session(on: device.name, "Silence") { $0.title == "Silence" }
                    try await home.succeed("stop", device.name)
                    try await device.tells("the end of the app") { $0.event == "app-ended" }
                    try await home.quit()
                }
            }
        }

        private func start(
            _ application: String, _ url: String, on name: String, in home: Household
        ) async throws {
            try await eventually("the device") { try await home.discover().contains { $0.name == name } }
            let device = try await home.device(name)
            let client = try await HostClient.connect(to: home.socket, launching: false)
            let url = try #require(URL(string: url))
            let result: Result<String, HostError>
            do throws(HostError) {
                result = .success(try await client.play(url, on: device.path, application: application))
            } catch {
                result = .failure(error)
            }
            await client.close()
            _ = try result.get()
        }

        /// An app that plays media as well, taken up again by the next daemon.
        @Test func anAppOutlivesTheDaemon() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Lasting Cast", in: home) { device in
                    try await start("0DE30EC0", CastDevice.clip, on: device.name, in: home)
                    try await home.session(on: device.name, "playing") { $0.playback.isPlaying }
                    try await device.plays("PLAYING")
                    try await home.killDaemon()
                    try await home.session(on: device.name, "under control again", within: .seconds(20)) {
                        $0.state == "active" && $0.playback.isPlaying
                    }
                    try await home.succeed("pause", device.name)
                    try await device.plays("PAUSED")
                    #expect(device.events.count { $0.event == "launched" } == 1)
                    try await home.succeed("stop", device.name)
                    try await device.tells("the end of the app") { $0.event == "app-ended" }
                    try await home.quit()
                }
            }
        }
    }
}
