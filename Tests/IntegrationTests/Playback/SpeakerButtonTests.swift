import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Buttons of shairport-sync, pressed by its own interfaces on its host's bus.
    @Suite struct SpeakerButtonTests {
        private let speaker = Speaker.shairRoom

        /// Longer than a test takes.
        private func tone(_ home: Household) async throws -> String {
            let path = home.folder + "/tone.wav"
            try await LabMedia.make(path, frequency: 440, seconds: 120)
            return path
        }

        // MARK: Buttons

        @Test func pauseAndPlay() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 40)
                let begin = speaker.mark()
                try await home.succeed("play", speaker.name, file.path, "--detach")
                try await speaker.untilItFindsTheSender()
                try await home.session(on: speaker.name, "2 s heard") { $0.playback.position(at: monotonicNow()) > 2 }
                try await speaker.press("Pause")
                let paused = try await home.session(on: speaker.name, "paused") { $0.playback.position.rate == 0 }
                #expect(!paused.playback.isPlaying && paused.state == "active")
                let heard = Int((paused.playback.position.value * 44_100).rounded()) * 4
                #expect(try speaker.played(file.samples.prefix(heard), since: begin), "what was heard is what is told")
                try await speaker.press("Play")
                try await home.session(on: speaker.name, "playing") { $0.playback.isPlaying }
                let rest = file.samples.dropFirst(heard).prefix(176_400)
                try await eventually("the second behind the pause") { try speaker.played(rest, since: begin) }
                for isPlaying in [false, true] {
                    try await speaker.press("PlayPause")
                    try await home.session(on: speaker.name, "playing: \(isPlaying)") {
                        $0.playback.isPlaying == isPlaying
                    }
                }
                // Its other interface, which desktops show.
                try await speaker.pressAsPlayer("Pause")
                try await home.session(on: speaker.name, "paused once more") { !$0.playback.isPlaying }
                try await home.succeed("resume")
                try await speaker.press("Stop")
                try await eventually("the end") { try await home.sessions().isEmpty }
                try await eventually("the speaker's end") { try !speaker.told("pend", since: begin).isEmpty }
                try await home.quit()
            }
        }

        @Test func volumeAndMute() async throws {
            try await Household.open { home in
                let begin = speaker.mark()
                try await home.succeed("play", speaker.name, try await tone(home), "--detach")
                try await speaker.untilItFindsTheSender()
                try await home.succeed("volume", speaker.name, "50")
                for (button, arguments, level, told) in [
                    ("VolumeUp", [String](), 0.55, "-13.50,"), ("VolumeDown", [], 0.5, "-15.00,"),
                    ("SetAirplayVolume", ["d", "-22.5"], 0.25, "-22.50,"),
                ] {
                    try await speaker.press(button, arguments)
                    try await eventually("\(button) is shown") {
                        try await isNear(home.device(speaker.name).volume, level)
                    }
                    try await eventually("\(button) is done") {
                        try speaker.toldText("pvol", since: begin).last?.hasPrefix(told) == true
                    }
                }
                for (isMuted, told) in [(true, "-144.00,"), (false, "-22.50,")] {
                    try await speaker.press("ToggleMute")
                    try await eventually("muted: \(isMuted)") {
                        try await home.device(speaker.name).isMuted == isMuted
                            && speaker.toldText("pvol", since: begin).last?.hasPrefix(told) == true
                    }
                }
                try await home.succeed("stop", speaker.name)
                try await home.quit()
            }
        }

        /// Audio written meanwhile waits in the pipe, as with `mdhost pause`.
        @Test func whatIsPipedInWaits() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 30)
                let begin = speaker.mark()
                let script = "cat '\(file.path).raw' | '\(Household.mdhost)' stream '\(speaker.name)' --format s16le"
                async let written = Command.run(
                    ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(90))
                try await home.session(on: speaker.name, "2 s heard") { $0.playback.position(at: monotonicNow()) > 2 }
                try await speaker.untilItFindsTheSender()
                try await speaker.press("Pause")
                let paused = try await home.session(on: speaker.name, "paused") { $0.playback.position.rate == 0 }
                try await speaker.press("Play")
                let result = try await written
                #expect(result.status == 0, "\(result)")
                let heard = Int((paused.playback.position.value * 44_100).rounded()) * 4
                #expect(try speaker.played(file.samples.prefix(heard), since: begin), "all before the pause")
                #expect(try speaker.played(Data(file.samples.dropFirst(heard)), since: begin), "all behind it")
            }
        }

        /// The next process listens elsewhere, by another name.
        @Test func theyAreHeardAgainAfterTheExtensionDied() async throws {
            try await Household.open { home in
                let begin = speaker.mark()
                try await home.succeed("play", speaker.name, try await tone(home), "--detach")
                try await speaker.untilItFindsTheSender()
                let former = try #require(try speaker.toldText("daid", since: begin).last)
                try await home.killExtension("org.mdhost.airplay")
                try await eventually("the next process' name", within: .seconds(20)) {
                    try speaker.toldText("daid", since: begin).last != former
                }
                try await eventually("the former is not announced") { try await announcedPort(of: former) == nil }
                let identifier = try #require(try speaker.toldText("daid", since: begin).last)
                try await eventually("the next is announced") { try await announcedPort(of: identifier) != nil }
                try await home.session(on: speaker.name, "playing", within: .seconds(20)) {
                    $0.playback.isPlaying && $0.playback.position.rate == 1
                }
                try await eventually("the pause is heard", within: .seconds(20)) {
                    try await speaker.answer(to: "pause") == "204"
                }
                try await home.session(on: speaker.name, "paused") { !$0.playback.isPlaying }
                try await home.succeed("stop", speaker.name)
            }
        }

        @Test func everySpeakerOfAGroupHasItsOwn() async throws {
            let other = Speaker.shairLocked
            try await Household.open { home in
                _ = try await home.succeed("pair", other.name, input: "s3cret\n")
                let marks = (speaker.mark(), other.mark())
                try await home.succeed("play", speaker.name, "--with", other.name, try await tone(home), "--detach")
                for one in [speaker, other] {
                    try await one.untilItFindsTheSender()
                    try await home.succeed("volume", one.name, "50")
                }
                try await other.press("VolumeUp")
                try await eventually("its level") {
                    try other.toldText("pvol", since: marks.1).last?.hasPrefix("-13.50,") == true
                }
                #expect(try await isNear(home.device(speaker.name).volume, 0.5))
                #expect(try speaker.toldText("pvol", since: marks.0).last?.hasPrefix("-15.00,") == true)
                try await other.press("Pause")
                try await home.session(on: speaker.name, "paused") { !$0.playback.isPlaying }
                try await speaker.press("Play")
                try await home.session(on: speaker.name, "playing") { $0.playback.isPlaying }
                try await other.press("Stop")
                try await eventually("the end of both") { try await home.sessions().isEmpty }
            }
        }

        // MARK: Authorization

        @Test func nobodyElseMay() async throws {
            try await Household.open { home in
                let begin = speaker.mark()
                try await home.succeed("play", speaker.name, try await tone(home), "--detach")
                try await speaker.untilItFindsTheSender()
                let identifier = try #require(try speaker.toldText("daid", since: begin).last)
                let token = try #require(try speaker.toldText("acre", since: begin).last)
                let port = try #require(try await announcedPort(of: identifier))
                func ask(_ command: String, _ token: String, on host: String) async throws -> String {
                    let url = "http://10.77.0.4:\(port)/ctrl-int/1/\(command)"
                    return try await LabHost.run(
                        "curl", "--silent", "--max-time", "5", "--output", "/dev/null", "--write-out", "%{http_code}",
                        "--header", "Active-Remote: \(token)", url, on: host
                    ).output
                }
                #expect(try await ask("pause", token, on: "b") == "403", "another machine, with the speaker's token")
                #expect(try await ask("pause", token, on: "d") == "403", "this machine")
                let wrong = String((UInt32(token) ?? 0) ^ 1)
                #expect(try await ask("pause", wrong, on: "a") == "403", "the speaker's machine, without its token")
                #expect(try await ask("nextitem", token, on: "a") == "501")
                #expect(try await ask("getproperty?properties=dmcp.volume", token, on: "a") == "400")
                #expect(try await ask("nonsense", token, on: "a") == "404")
                #expect(try await home.session(on: speaker.name, "it plays").playback.isPlaying)
                // shairport-sync's own name for the same.
                try await speaker.press("Next")
                #expect(try await speaker.answer(to: "nextitem") == "501")
                #expect(try await speaker.answer(to: "pause") == "204")
                try await home.session(on: speaker.name, "paused") { !$0.playback.isPlaying }
                try await home.succeed("stop", speaker.name)
                try await home.quit()
                try await eventually("nothing is announced") { try await announcedPort(of: identifier) == nil }
            }
        }

        /// The port at which a sender's remote control is announced, as another machine sees it.
        private func announcedPort(of identifier: String) async throws -> Int? {
            let list = try await LabHost.run(
                "avahi-browse", "--parsable", "--resolve", "--terminate", "_dacp._tcp", on: "b")
            for line in list.output.split(separator: "\n") {
                let fields = line.split(separator: ";", omittingEmptySubsequences: false)
                guard fields.count > 8, fields[0] == "=", fields[3] == "iTunes_Ctrl_\(identifier)" else { continue }
                return Int(fields[8])
            }
            return nil
        }
    }
}

extension Speaker {
    private func bus(_ words: [String]) async throws -> String {
        let result = try await Command.run([LabHost.script, "in", host, "busctl", "--system", "--"] + words)
        try #require(result.status == 0, "busctl \(words): \(result)")
        return result.output
    }

    private static let service = ["org.gnome.ShairportSync", "/org/gnome/ShairportSync"]

    /// Waits until it has found the sender's remote control: its buttons do nothing before.
    func untilItFindsTheSender() async throws {
        try await eventually("\(name) knows a remote control", within: .seconds(20)) {
            try await bus(
                ["get-property"] + Self.service + ["org.gnome.ShairportSync.RemoteControl", "Available"]) == "b true\n"
        }
    }

    /// Presses one of its buttons; `arguments` as `busctl` takes them.
    func press(_ button: String, _ arguments: [String] = []) async throws {
        _ = try await bus(
            ["call"] + Self.service + ["org.gnome.ShairportSync.RemoteControl", button] + arguments)
    }

    /// Presses a button that it shows as a player of its own desktop.
    func pressAsPlayer(_ button: String) async throws {
        _ = try await bus([
            "call", "org.mpris.MediaPlayer2.ShairportSync", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player",
            button,
        ])
    }

    /// The status that it is answered with.
    func answer(to command: String) async throws -> String {
        let words = try await bus(
            ["call"] + Self.service + ["org.gnome.ShairportSync", "RemoteCommand", "s", command])
        return words.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }
}
