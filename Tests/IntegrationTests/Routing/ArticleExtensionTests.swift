import DBus
import DataChannels
import Foundation
import HostClient
import HostInterface
import ScriptedChannel
import Testing

extension Product {
    /// An extension by the routing article as a confined process, with a device in another host: the system's
    /// requests, their order, and the handling of the answers.
    @Suite struct ArticleExtensionTests {
        private func with(_ body: (Household) async throws -> Void) async throws {
            try await Household.open { home in
                try ArticleDevice.installExtension(home)
                try await body(home)
            }
        }

        private func requests(_ home: Household) async throws -> [String] {
            try await ArticleDevice.log("requests", home)
        }

        @Test func theSystemAsksInTheArticlesOrder() async throws {
            try await with { home in
                let device = try await ArticleDevice.start(home, "Article Room")
                let found = try #require(try await home.discover().first { $0.name == "Article Room" })
                #expect(found.type == "tv" && found.canMute && found.protocolName == "Article Sharing", "\(found)")
                try await home.succeed("play", "Article Room", LabMedia.mp3, "--detach")
                try await device.hears("load \(LabMedia.mp3)")
                try await home.succeed("stop", "Article Room")
                try await device.hears("stop")
                try await device.hears("gone")
                // No client runs discovery.
                try await eventually("the end of the search", within: .seconds(30)) {
                    try await requests(home).contains("info stop discovery")
                }
                #expect(
                    try await requests(home).filter { !$0.hasSuffix("discovery") } == [
                        "notice activate Article Room for [url-playback, app-launch]",
                        "notice start player with \(LabMedia.mp3)", "notice stop", "notice deactivate",
                    ])
                #expect(try await requests(home).first == "info start discovery")
                await device.stop()
            }
        }

        @Test func commandsReachTheDeviceAndItsOwnChangesAreSeen() async throws {
            try await with { home in
                let device = try await ArticleDevice.start(home, "Article Control")
                try await home.succeed("play", "Article Control", LabMedia.mp3, "--detach")
                try await home.session(on: "Article Control", "started") { $0.playback.timeRange.duration == 120 }
                try await home.succeed("resume", "Article Control")
                try await device.hears("play")
                try await home.session(on: "Article Control", "playing") { $0.playback.isPlaying }
                try await home.succeed("pause", "Article Control")
                try await device.hears("pause")
                try await home.succeed("seek", "Article Control", "30")
                try await device.hears("seek 30.0")
                try await home.session(on: "Article Control", "playing after the seek") { $0.playback.isPlaying }
                device.says("title From the Device")
                try await home.session(on: "Article Control", "the title") { $0.title == "From the Device" }
                device.says("paused 77")
                try await home.session(on: "Article Control", "paused by itself") {
                    !$0.playback.isPlaying && $0.playback.position.value == 77
                }
                try await home.succeed("stop", "Article Control")
                try await device.hears("stop")
                await device.stop()
            }
        }

        @Test func volumeGoesBothWays() async throws {
            try await with { home in
                let device = try await ArticleDevice.start(home, "Article Volume")
                let steps = try await ArticleDevice.start(home, "Article Steps", on: "a")
                // In use, so that it is connected when it has something to say.
                try await home.succeed("play", "Article Volume", LabMedia.mp3, "--detach")
                try await home.succeed("volume", "Article Volume", "30")
                try await device.hears("volume 0.3")
                try await home.succeed("mute", "Article Volume")
                try await device.hears("mute")
                #expect(try await home.device("Article Volume").isMuted)
                try await home.succeed("mute", "Article Volume", "--off")
                try await device.hears("unmute")
                device.says("level 0.2")
                try await eventually("the device's own level") {
                    abs((try await home.device("Article Volume").volume ?? 0) - 0.2) < 0.001
                }
                device.says("muted")
                try await eventually("the device's own mute") { try await home.device("Article Volume").isMuted }
                // The extension uses one device at a time.
                try await home.succeed("stop", "Article Volume")
                try await home.succeed("volume", "Article Steps", "+3")
                try await eventually("a step") { steps.lines.contains { $0.hasPrefix("steps ") } }
                let absolute = try await home.run("volume", "Article Steps", "30")
                #expect(absolute.status != 0, "\(absolute)")
                await device.stop()
                await steps.stop()
            }
        }

        @Test func aCodeIsAskedForJudgedAndMayBeCancelled() async throws {
            try await with { home in
                let device = try await ArticleDevice.start(home, "Article Lock", manner: "pin")
                let person = try await Typist.open(home, "pair", "Article Lock")
                try await person.sees("Passcode Required")
                try await person.sees("4-digit code for Article Lock:")
                person.type("0000\n")
                try await person.sees("4-digit code for Article Lock:", times: 2)
                person.type("4711\n")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(device.lines.filter { $0.hasPrefix("code") } == ["code 0000", "code 4711"])
                let other = try await ArticleDevice.start(home, "Article Secret", manner: "password", on: "a")
                let canceller = try await Typist.open(home, "pair", "Article Secret")
                try await canceller.sees("Password Required")
                canceller.type("\u{3}")
                #expect(await canceller.end() == 130, "\(canceller.screen)")
                try await eventually("the answer that there is none") {
                    try await requests(home).contains("notice code none for Article Secret")
                }
                #expect(!other.lines.contains { $0.hasPrefix("code") })
                try await home.succeed("pair", "Article Secret", input: "4711\n")
                #expect(other.lines.contains("code 4711"))
                await device.stop()
                await other.stop()
            }
        }

        @Test func whatDiscoveryReportsIsShown() async throws {
            try await with { home in
                let device = try await ArticleDevice.start(home, "Article Moves")
                let watch = try await Watch.open(home, awaiting: ["Article Moves"])
                try await home.succeed("play", "Article Moves", LabMedia.mp3, "--detach")
                device.says("name Article Renamed")
                try await eventually("the new name") {
                    try await home.discover().contains { $0.deviceName == "Article Renamed" }
                }
                let failing = try await ArticleDevice.start(home, "Article Failing", on: "a")
                try await eventually("the failure of discovery") {
                    try await home.run("status").output.contains("problem     ")
                }
                #expect(try await !home.discover().contains { $0.name == "Article Failing" })
                await device.withdraw()
                try await eventually("its loss", within: .seconds(30)) {
                    try await home.discover().first { $0.deviceName == "Article Renamed" }?.availability != "ready"
                }
                watch.close()
                await device.stop()
                await failing.stop()
            }
        }

        @Test func aDeviceThatCannotBeReachedIsToldAsSuch() async throws {
            try await with { home in
                let device = try await ArticleDevice.start(home, "Article Gone")
                let nobody = try ArticleDevice.announce("Article Nobody", "9", on: "a")
                try await eventually("its announcement") { nobody.errors.contains("Established") }
                let refused = try await home.run("play", "Article Nobody", LabMedia.mp3, "--detach", "--json")
                #expect(
                    try JSONLines.one(refused.errors, as: PrintedError.self).error.code == "unreachable", "\(refused)")
                #expect(
                    try await ArticleDevice.log("network", home).first
                        == "error Article Nobody: posix 111: Connection refused.")
                try await home.succeed("play", "Article Gone", LabMedia.mp3, "--detach")
                // It closes its connection while it is in use.
                await device.stop()
                try await eventually("the end of playback", within: .seconds(40)) {
                    try await home.sessions().allSatisfy { $0.isOver || $0.state == "unreachable" }
                }
                await nobody.stop()
            }
        }

        @Test func aServiceIsFollowedToItsNextAddress() async throws {
            try await LabHost.down("moving")
            let host = try await LabHost.up("moving")
            do {
                try await with { home in
                    let device = try await ArticleDevice.start(home, "Article Moving", on: host.name)
                    try await home.succeed("play", "Article Moving", LabMedia.mp3, "--detach")
                    try await device.hears("load \(LabMedia.mp3)")
                    let script = """
                        ip -4 address flush dev eth0 && ip address add 10.77.0.77/24 broadcast + dev eth0 &&
                        ip route add default via 10.77.0.254 && ip route add 224.0.0.0/4 dev eth0
                        """
                    let renumbered = try await LabHost.run("sh", "-c", script, on: host.name)
                    try #require(renumbered.status == 0, "\(renumbered)")
                    // The connection in use is notified, and stays; the next one uses the new address.
                    try await eventually("that it moved", within: .seconds(30)) {
                        try await ArticleDevice.log("network", home).contains("info Article Moving has moved")
                    }
                    _ = try await home.run("stop", "Article Moving")
                    try await eventually("a connection to the new address", within: .seconds(40)) {
                        _ = try await home.run("play", "Article Moving", LabMedia.mp3, "--detach")
                        return device.lines.count { $0.hasPrefix("load") } > 1
                    }
                    await device.stop()
                }
            } catch {
                try await LabHost.down("moving")
                throw error
            }
            try await LabHost.down("moving")
        }

        @Test func messagesGoBothWays() async throws {
            try await with { home in
                let device = try await ArticleDevice.start(home, "Article Data")
                let path = try #require(try await home.discover().first { $0.name == "Article Data" }?.path)
                let client = try await HostClient.connect(to: home.socket, launching: false)
                let url = try #require(URL(string: LabMedia.mp3))
                let session = try await client.play(url, on: path, application: "org.example.television")
                let signals = try await client.connection.signals(path: session, member: "DataReceived")
                try await client.call(
                    session, interface: HostNames.sessionInterface, "SendData", [.bytes(Array("ping".utf8))])
                try await device.hears("data org.example.television ping")
                device.says("data pong")
                for await signal in signals {
                    #expect(signal.arguments.first?.asBytes == Array("pong".utf8))
                    break
                }
                #expect(try await requests(home).contains("info data ping for org.example.television"))
                await client.connection.close()
                await device.stop()
            }
        }

        @Test func aDataChannelIsItsClientsAloneUntilTheSessionEnds() async throws {
            try await with { home in
                let device = try await ArticleDevice.start(home, "Article Channel")
                let path = try #require(try await home.discover().first { $0.name == "Article Channel" }?.path)
                let client = try await HostClient.connect(to: home.socket, launching: false)
                // Nothing that could be reached is open yet.
                await #expect(throws: HostError.self) {
                    try await client.call(path, interface: HostNames.deviceInterface, "OpenDataChannel")
                }
                let url = try #require(URL(string: LabMedia.mp3))
                let session = try await client.play(url, on: path, application: "org.example.television")
                let signals = try await client.connection.signals(path: session, member: "DataReceived")
                let values = try await client.call(session, interface: HostNames.sessionInterface, "OpenDataChannel")
                guard case .fileDescriptor(let end)? = values.first else {
                    throw WaitedInVain(description: "\(values)")
                }
                let channel = try ScriptedChannel(end)
                var received = channel.frames.makeAsyncIterator()
                channel.send(.message(Data("ping".utf8)))
                #expect(await received.next() == .accepted)
                try await device.hears("data org.example.television ping")
                device.says("data pong")
                #expect(await received.next() == .message(Data("pong".utf8)))
                // The session's end is the channel's, and nothing has come as a signal.
                try await home.succeed("stop", "Article Channel")
                #expect(await received.next() == nil)
                await client.connection.close()
                for await signal in signals { Issue.record("\(signal)") }
                await device.stop()
            }
        }
    }
}
