import Foundation
import Glibc
import HostClient
import HostInterface
import Testing

extension Product {
    /// Live sound to shairport-sync, compared with the samples it really played.
    @Suite struct SpeakerTests {
        private let speaker = Speaker.shairRoom

        @Test func everySampleIsHeard() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 8)
                let begin = speaker.mark()
                let result = try await home.run("play", speaker.name, file.path)
                #expect(result.status == 0, "\(result)")
                #expect(try speaker.played(file.samples, since: begin), "from the first sample to the last")
                #expect(try speaker.toldText("minm", since: begin).last == "Noise & Silence")
                #expect(try speaker.toldText("asar", since: begin).last == "The Generators")
                let progress = try #require(try speaker.toldText("prgr", since: begin).last)
                let times = progress.split(separator: "/").compactMap { UInt32($0) }
                try #require(times.count == 3, "\(progress)")
                #expect(times[2] &- times[0] == 8 * 44_100, "\(progress)")
                try await home.quit()
            }
        }

        @Test func lostPacketsAreNotHeard() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 20)
                let begin = speaker.mark()
                let dropped = try await Firewall.on(speaker.host).around(
                    "ip saddr 10.77.0.4 udp dport 6101-6199 numgen random mod 100 < 1 counter drop"
                ) {
                    let result = try await home.run("play", speaker.name, file.path, "--json", within: .seconds(60))
                    #expect(result.status == 0, "\(result)")
                    let sessions = try JSONLines.all(result.output, as: ClientSession.self)
                    let quality = try #require(sessions.last { $0.quality != nil }?.quality)
                    print("SPEAKER with 1 % loss: \(quality)")
                    #expect(quality.packetsLost > 0 && quality.packetsResent == quality.packetsLost)
                    #expect(quality.stalls == 0)
                }
                #expect(dropped > 0)
                #expect(try speaker.played(file.samples, since: begin), "\(dropped) packets were lost on the way")
                try await home.quit()
            }
        }

        @Test func whatPlaysObeys() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 40)
                let begin = speaker.mark()
                try await home.succeed("play", speaker.name, file.path, "--detach")
                let start = try await home.session(on: speaker.name, "length") { $0.playback.timeRange.duration == 40 }
                #expect(start.title == "Noise & Silence" && start.playback.isPlaying)
                try await home.session(on: speaker.name, "3 s heard") {
                    $0.playback.position(at: monotonicNow()) > 3
                }
                let shown = try await home.succeed("status", speaker.name, "--verbose")
                #expect(shown.contains(" packets, ") && shown.contains(" stalls, 2.0 s behind"), "\(shown)")
                try await home.succeed("pause")
                let paused = try await home.session(on: speaker.name, "paused") { $0.playback.position.rate == 0 }
                let heard = Int((paused.playback.position.value * 44_100).rounded()) * 4
                #expect(try speaker.played(file.samples.prefix(heard), since: begin), "what was heard is what is told")
                try await home.succeed("resume")
                // All that was sent and not heard is sent again.
                let rest = file.samples.dropFirst(heard).prefix(176_400)
                try await eventually("the second behind the pause") { try speaker.played(rest, since: begin) }
                try await home.succeed("seek", "30")
                let there = file.samples.dropFirst(30 * 176_400).prefix(176_400)
                try await eventually("the second from 30 s on") { try speaker.played(there, since: begin) }
                try await home.succeed("volume", speaker.name, "50")
                try await eventually("half volume") {
                    try speaker.toldText("pvol", since: begin).last?.hasPrefix("-15.00,") == true
                }
                try await home.succeed("mute", speaker.name)
                try await eventually("mute") {
                    try speaker.toldText("pvol", since: begin).last?.hasPrefix("-144.00,") == true
                }
                try await home.succeed("stop", speaker.name)
                try await eventually("the end") { try !speaker.told("pend", since: begin).isEmpty }
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }

        @Test func aSpeakerThatIsSwitchedOffAndOnPlaysOn() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 12)
                try await home.succeed("play", speaker.name, file.path, "--detach")
                try await home.session(on: speaker.name, "3 s heard") { $0.playback.position(at: monotonicNow()) > 3 }
                try await RealReceivers.end("shairport", on: "a", signal: "KILL")
                let waiting = try await home.session(on: speaker.name, "waiting") { $0.playback.isBuffering }
                #expect(waiting.state == "active" && waiting.playback.position.rate == 0)
                let begin = speaker.mark()
                try await RealReceivers.start()
                let frame = Int((waiting.playback.position.value * 44_100).rounded())
                let rest = Data(file.samples.dropFirst(frame * 4))
                try await eventually("the rest", within: .seconds(30)) { try speaker.played(rest, since: begin) }
                try await eventually("the end") { try await home.sessions().isEmpty }
            }
        }

        /// The extension sends the samples, so playback stops with it, and continues with the next process.
        @Test func anExtensionThatDiesIsFollowedByOneThatPlaysOn() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 14)
                try await home.succeed("play", speaker.name, file.path, "--detach")
                try await home.session(on: speaker.name, "2 s heard") { $0.playback.position(at: monotonicNow()) > 2 }
                let begin = speaker.mark()
                try await home.killExtension("org.mdhost.airplay")
                let end = Data(file.samples.suffix(4 * 176_400))
                try await eventually("its last 4 s", within: .seconds(30)) { try speaker.played(end, since: begin) }
            }
        }

        /// Media may crash the program that decodes it, which is another one each time.
        @Test func whatDecodesMayDieAndNothingIsLost() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 14)
                let begin = speaker.mark()
                try await home.succeed("play", speaker.name, file.path, "--detach")
                var killed: Set<pid_t> = []
                for second in 1...10 {
                    try await home.session(on: speaker.name, "\(second) s heard") {
                        $0.playback.position(at: monotonicNow()) > Double(second)
                    }
                    for reader in try home.children(named: "mdhost-reader") where killed.insert(reader).inserted {
                        kill(reader, SIGKILL)
                    }
                }
                #expect(killed.count >= 3, "\(killed)")
                try await eventually("the end", within: .seconds(30)) {
                    try !speaker.told("pend", since: begin).isEmpty
                }
                #expect(try speaker.played(file.samples, since: begin), "from the first sample to the last")
            }
        }

        /// Also by the next daemon, and by the next process of the extension.
        @Test(arguments: [false, true])
        func aLevelThatIsSetBeforePlaybackAppliesToIt(isOfAnotherDaemon: Bool) async throws {
            try await Household.open { home in
                let begin = speaker.mark()
                try await home.succeed("volume", speaker.name, "40")
                if isOfAnotherDaemon { try await home.quit() }
                try await home.succeed("play", speaker.name, LabMedia.flac, "--detach")
                try await eventually("the level") {
                    try speaker.toldText("pvol", since: begin).last?.hasPrefix("-18.00,") == true
                }
                #expect(try await isNear(home.device(speaker.name).volume, 0.4))
                try await home.succeed("stop", speaker.name)
                try await home.quit()
            }
        }

        @Test func theSpeakersOwnLevelIsKept() async throws {
            try await Household.open { home in
                try await home.succeed("play", speaker.name, LabMedia.flac, "--detach")
                try await home.succeed("volume", speaker.name, "60")
                try await home.succeed("stop", speaker.name)
            }
            try await Household.open { home in
                let begin = speaker.mark()
                try await home.succeed("play", speaker.name, LabMedia.flac, "--detach")
                try await eventually("the level it has") { try await isNear(home.device(speaker.name).volume, 0.6) }
                try await home.succeed("stop", speaker.name)
                try await eventually("the end") { try !speaker.told("pend", since: begin).isEmpty }
                let levels = try speaker.toldText("pvol", since: begin)
                #expect(levels.allSatisfy { $0.hasPrefix("-12.00,") }, "\(levels)")
            }
        }

        @Test func aPasswordIsAskedForOnce() async throws {
            let locked = Speaker.shairLocked
            try await Household.open { home in
                let wrong = try await home.run("pair", locked.name, input: "wrong\n")
                #expect(wrong.status == 4 && wrong.errors.contains("does not accept the password"), "\(wrong)")
                let paired = try await home.succeed("pair", locked.name, input: "s3cret\n")
                #expect(paired == "Paired with \(locked.name).\n")
                let begin = locked.mark()
                try await home.succeed("play", locked.name, LabMedia.flac, "--detach")
                try await eventually("its title") { try locked.toldText("minm", since: begin).last == "Lab Tone" }
                try await home.succeed("stop", locked.name)
                #expect(!home.log.contains("s3cret"))
                try await home.succeed("forget", locked.name)
                let asked = try await home.run("play", locked.name, LabMedia.flac, "--detach")
                #expect(asked.status == 4, "\(asked)")
            }
        }

        /// shairport-sync accepts encrypted sound as well; its announcement in this test requires it.
        @Test func soundIsEncryptedWhereItHasToBe() async throws {
            let sealed = Speaker.shairSealed
            let announcement = try RunningCommand([
                LabHost.script, "in", sealed.host, "avahi-publish", "--service", "5EA1ED000001@\(sealed.name)",
                "_raop._tcp", "5000", "et=1", "cn=0,1", "tp=UDP", "sr=44100", "ss=16", "ch=2", "md=0,1,2",
                "am=ShairportSync",
            ])
            // A packet of audio as it is: RTP's type, and the beginning of an Apple Lossless frame.
            let open = try await Wire.open(
                port: "v\(sealed.host)",
                "src 10.77.0.4 and udp[9] & 0x7f = 0x60 and udp[20:4] & 0xfffffe00 = 0x20000200")
            try await Household.open { home in
                try await eventually("the announcement") {
                    try await home.discover().contains { $0.name == sealed.name }
                }
                try await sealed.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 4)
                let begin = sealed.mark()
                try await home.succeed("play", sealed.name, file.path)
                #expect(try sealed.played(file.samples, since: begin), "from the first sample to the last")
                #expect(open.text.isEmpty)
                // The same speaker by its own announcement, to prove that the filter works.
                try await home.succeed("play", speaker.name, file.path)
                #expect(!open.text.isEmpty)
                try await home.quit()
            }
            await open.close()
            await announcement.stop()
        }

        @Test func aBlockedWayBackIsTold() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                _ = try await Firewall.on("d").around("ip saddr 10.77.0.1 udp dport 6001-6032 counter drop") {
                    let begun = ContinuousClock.now
                    let result = try await home.run("play", speaker.name, LabMedia.flac, "--json")
                    print("SPEAKER way back blocked: told after \(ContinuousClock.now - begun)")
                    #expect(result.status != 0, "\(result)")
                    let error = try JSONLines.one(result.errors, as: PrintedError.self).error
                    #expect(error.code == "reverse-connection-blocked")
                    #expect(error.message.contains("incoming UDP on port 60"), "\(error.message)")
                    // Three seconds, and the time of a command on a loaded machine.
                    #expect(ContinuousClock.now - begun < .seconds(5) * slowness)
                }
            }
        }
    }
}

/// Packets that get lost, by nftables in a host of the lab.
struct Firewall: Sendable {
    private let host: String

    static func on(_ host: String) -> Firewall { Firewall(host: host) }

    /// Keeps a rule for as long as `body` takes.
    ///
    /// - Returns: The number of packets it counted.
    func around(_ rule: String, _ body: () async throws -> Void) async throws -> Int {
        try await nft("add table inet mdhost; add chain inet mdhost in { type filter hook input priority 0; }")
        let result: Result<Int, any Error>
        do {
            try await nft("add rule inet mdhost in \(rule)")
            try await body()
            let listing = try await nft("list table inet mdhost")
            let words = listing.split(whereSeparator: \.isWhitespace)
            result = .success(words.firstIndex(of: "packets").flatMap { Int(words[$0 + 1]) } ?? 0)
        } catch {
            result = .failure(error)
        }
        try await nft("delete table inet mdhost")
        return try result.get()
    }

    @discardableResult
    private func nft(_ commands: String) async throws -> String {
        let result = try await LabHost.run("/usr/sbin/nft", commands, on: host)
        try #require(result.status == 0, "nft \(commands): \(result)")
        return result.output
    }
}
