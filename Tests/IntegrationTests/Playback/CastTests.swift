import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Playback to a simulated Google Cast device, which other senders drive as well.
    @Suite struct CastTests {
        /// An independent sender controls the device, which validates the simulation.
        @Test(.enabled(if: CastDevice.hasOtherSender, "needs python3-pychromecast"))
        func anotherSenderDrivesTheSimulatedDevice() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Cast Witness", in: home) { device in
                    #expect(try await device.otherSender("status").app == nil)
                    let playing = try await device.otherSender("play", CastDevice.clip, "video/mp4")
                    #expect(playing.state == "PLAYING" && abs((playing.duration ?? 0) - 20) < 0.5)
                    try await device.tells("the whole clip") {
                        $0.event == "fetched" && $0.from == 0 && ($0.bytes ?? 0) > 100_000
                    }
                    #expect(try await device.otherSender("pause").state == "PAUSED")
                    try await device.otherSender("seek", "12")
                    try await device.tells("a range") {
                        $0.event == "fetched" && ($0.from ?? 0) > 0 && $0.status == 206
                    }
                    #expect(try await device.otherSender("resume").state == "PLAYING")
                    #expect(try await device.otherSender("volume", "0.3").volume == 0.3)
                    #expect(try await device.otherSender("mute").isMuted)
                    try await device.otherSender("stop")
                    try await device.plays("IDLE CANCELLED")
                    #expect(try await device.otherSender("quit").app == nil)
                }
            }
        }

        @Test(.enabled(if: CastDevice.hasOtherSender, "needs python3-pychromecast"))
        func obeysAndIsObeyed() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Cast Room", in: home) { device in
                    try await eventually("the device") {
                        try await home.discover().contains {
                            $0.name == "Cast Room" && $0.protocolName == "Google Cast"
                        }
                    }
                    try await home.succeed("play", "Cast Room", CastDevice.clip, "--detach")
                    let session = try await home.session(on: "Cast Room", "its length") {
                        $0.playback.isPlaying && abs($0.playback.timeRange.duration - 20) < 0.5
                    }
                    #expect(session.playback.position(at: monotonicNow()) < 15)
                    try await device.tells("media") {
                        $0.event == "loading" && $0.contentType == "video/mp4" && $0.streamType == "BUFFERED"
                    }

                    try await home.succeed("pause", "Cast Room")
                    try await device.plays("PAUSED")
                    try await home.succeed("seek", "Cast Room", "0:05")
                    try await device.plays("PAUSED", at: 5)
                    try await home.session(on: "Cast Room", "5 s") {
                        !$0.playback.isPlaying && abs($0.playback.position(at: monotonicNow()) - 5) < 0.5
                    }
                    try await home.succeed("speed", "Cast Room", "2")
                    try await device.otherSender("resume")
                    try await home.session(on: "Cast Room", "resumed there") {
                        $0.playback.isPlaying && $0.playback.playbackSpeed == 2
                    }
                    try await device.otherSender("stop")
                    try await eventually("the end") { try await home.sessions().isEmpty }
                    try await home.quit()
                }
            }
        }

        @Test(.enabled(if: CastDevice.hasOtherSender, "needs python3-pychromecast"))
        func itsLevelIsSetFromBothSides() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Loud Cast", in: home) { device in
                    try await home.succeed("play", "Loud Cast", CastDevice.clip, "--detach")
                    try await home.session(on: "Loud Cast", "playing") { $0.playback.isPlaying }
                    try await home.succeed("volume", "Loud Cast", "40")
                    try await device.tells("40 %") { $0.event == "volume" && abs(($0.level ?? 0) - 0.4) < 0.01 }
                    try await home.succeed("mute", "Loud Cast")
                    try await device.tells("silence") { $0.event == "volume" && $0.isMuted == true }
                    try await device.otherSender("volume", "0.7")
                    try await device.otherSender("unmute")
                    try await eventually("70 %") {
                        let found = try await home.device("Loud Cast")
                        return abs((found.volume ?? 0) - 0.7) < 0.01 && !found.isMuted
                    }
                    // The app was started from here, so the screen is left as it was.
                    try await home.succeed("stop", "Loud Cast")
                    try await device.tells("the end of the app") { $0.event == "app-ended" }
                    try await home.quit()
                }
            }
        }

        @Test func aFixedVolumeIsNotOffered() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Fixed Cast", "--volume", "fixed", in: home) { device in
                    try await home.succeed("play", "Fixed Cast", CastDevice.clip, "--detach")
                    try await home.session(on: "Fixed Cast", "playing") { $0.playback.isPlaying }
                    let result = try await home.run("volume", "Fixed Cast", "40")
                    #expect(result.status == 6, "\(result)")
                    try await home.succeed("stop", "Fixed Cast")
                    try await home.quit()
                    #expect(!device.events.contains { $0.event == "volume" })
                }
            }
        }

        @Test func aTelevisionGoesInItsSteps() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Step Cast", "--volume", "master", in: home) { device in
                    try await home.succeed("play", "Step Cast", CastDevice.clip, "--detach")
                    try await home.session(on: "Step Cast", "playing") { $0.playback.isPlaying }
                    try await home.succeed("volume", "Step Cast", "33")
                    try await device.tells("30 %") { $0.event == "volume" && abs(($0.level ?? 0) - 0.3) < 0.001 }
                    try await eventually("30 %") {
                        abs((try await home.device("Step Cast").volume ?? 0) - 0.3) < 0.001
                    }
                    try await home.succeed("stop", "Step Cast")
                    try await home.quit()
                }
            }
        }

        @Test func aGroupIsADeviceBesideItsLeader() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Leader", "--audio-only", in: home) { leader in
                    try await CastDevice.run(named: "Everywhere", "--group", "--port", "32187", in: home) { group in
                        try await eventually("both") {
                            Set(try await home.discover().map(\.name)).isSuperset(of: ["Leader", "Everywhere"])
                        }
                        try await home.succeed("play", "Everywhere", LabMedia.mp3, "--detach")
                        try await group.plays("PLAYING")
                        #expect(!leader.events.contains { $0.event == "loading" })
                        try await home.succeed("stop", "Everywhere")
                        try await home.quit()
                    }
                }
            }
        }

        @Test func tracksAreSelected() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Track Cast", "--tracks", in: home) { device in
                    try await home.succeed("play", "Track Cast", CastDevice.clip, "--detach")
                    try await home.session(on: "Track Cast", "its tracks") {
                        $0.playback.audioOptions.count == 2 && $0.playback.legibleOptions.count == 1
                    }
                    try await home.succeed("tracks", "Track Cast", "--audio", "Deutsch")
                    try await device.tells("German") { $0.event == "tracks" && $0.tracks == [2] }
                    try await home.succeed("tracks", "Track Cast", "--subtitles", "English")
                    try await device.tells("subtitles") { $0.event == "tracks" && $0.tracks == [2, 3] }
                    try await home.succeed("stop", "Track Cast")
                    try await home.quit()
                }
            }
        }

        @Test func subtitlesBesideAFileAreShown() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Subtitle Cast", in: home) { device in
                    let file = home.folder + "/film.mp3"
                    try await LabMedia.make(file, frequency: 500, seconds: 20)
                    let subtitles = Data("1\r\n00:00:01,000 --> 00:00:02,000\r\nGr\u{FC}n\r\n".utf8)
                    try subtitles.write(to: URL(filePath: home.folder + "/film.de.srt"))
                    try await home.succeed("play", device.name, file, "--detach")
                    try await home.session(on: device.name, "the subtitles") {
                        $0.playback.legibleOptions.map(\.name) == ["German"] && $0.playback.currentLegibleOption == nil
                    }
                    try await home.succeed("tracks", device.name, "--subtitles", "de")
                    try await device.tells("subtitles that a web page can show") {
                        $0.event == "subtitles" && $0.status == 200
                            && $0.text == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGr\u{FC}n\n"
                    }
                    try await home.session(on: device.name, "German") { $0.playback.currentLegibleOption == "1" }
                    try await home.succeed("tracks", device.name, "--subtitles", "off")
                    try await home.session(on: device.name, "none") { $0.playback.currentLegibleOption == nil }
                    try await home.succeed("stop", device.name)
                    try await home.quit()
                }
            }
        }

        /// It has lost the media, so the session here ends.
        @Test func aDeviceThatRestartsEndsTheSession() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Power Cast", in: home) { device in
                    try await home.succeed("play", device.name, CastDevice.clip, "--detach")
                    try await home.session(on: device.name, "playing") { $0.playback.isPlaying }
                }
                try await CastDevice.run(named: "Power Cast", in: home) { device in
                    try await eventually("the end", within: .seconds(20)) {
                        try await home.sessions().allSatisfy(\.isOver)
                    }
                    #expect(!device.events.contains { $0.event == "loading" })
                    try await home.quit()
                }
            }
        }

        @Test func aLocalFilePlaysToItsEnd() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "File Cast", in: home) { device in
                    let file = home.folder + "/Ein Film & mehr.mp3"
                    try await LabMedia.make(file, frequency: 700, seconds: 5)
                    let result = try await home.run("play", "File Cast", file, "--json", within: .seconds(40))
                    #expect(result.status == 0, "\(result)\n\(home.log)")
                    let states = try JSONLines.all(result.output, as: ClientSession.self)
                    #expect(states.last?.state == "ended" && states.contains { $0.playback.isPlaying }, "\(result)")
                    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
                    try await device.tells("the whole file") {
                        $0.event == "fetched" && $0.status == 206 && $0.bytes == size
                    }
                    try await device.tells("its type") { $0.event == "loading" && $0.contentType == "audio/mpeg" }
                    try await device.plays("IDLE FINISHED", at: 5)
                    try await home.quit()
                }
            }
        }

        @Test(.enabled(if: CastDevice.hasOtherSender, "needs python3-pychromecast"))
        func anotherSenderTakesOver() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Shared Cast", in: home) { device in
                    // Other media in the same app; the playback there must not be touched from here.
                    try await home.succeed("play", "Shared Cast", CastDevice.clip, "--detach")
                    try await home.session(on: "Shared Cast", "playing") { $0.playback.isPlaying }
                    try await device.otherSender("play", LabMedia.mp3, "audio/mpeg")
                    try await eventually("the end here") { try await home.sessions().isEmpty }
                    #expect(try await device.otherSender("status").state == "PLAYING")
                    // The app that runs is joined.
                    try await home.succeed("play", "Shared Cast", CastDevice.clip, "--detach")
                    try await home.session(on: "Shared Cast", "playing again") { $0.playback.isPlaying }
                    #expect(device.events.count { $0.event == "launched" } == 1)
                    // Replaced by another app.
                    try await device.otherSender("launch", "233637DE")
                    try await eventually("the end here") { try await home.sessions().isEmpty }
                    #expect(try await device.otherSender("status").app == "YouTube")
                    try await home.quit()
                }
            }
        }

        @Test func itSaysWhyItCannotPlay() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Picky Cast", in: home) { device in
                    let missing = try await home.run(
                        "play", "Picky Cast", "http://10.77.0.4:8099/nothing.mp4", within: .seconds(40))
                    #expect(missing.status != 0 && missing.errors.contains("can't open the media"), "\(missing)")
                    let loads = device.events.count { $0.event == "loading" }
                    let old = try await home.run("play", "Picky Cast", "http://10.77.0.4:8099/old.wmv")
                    #expect(old.status != 0 && old.errors.contains("can't play video/x-ms-wmv"), "\(old)")
                    #expect(device.events.count { $0.event == "loading" } == loads, "refused before it is sent")
                    try await home.quit()
                }
                try await CastDevice.run(
                    named: "Firewalled Cast", "--fail", "load", "--load-error", "301", in: home
                ) { device in
                    let result = try await home.run("play", device.name, CastDevice.clip)
                    #expect(result.status != 0 && result.errors.contains("can't fetch the media"), "\(result)")
                    #expect(result.errors.contains("allow TCP port 8099 in its firewall"), "\(result)")
                }
                try await CastDevice.run(named: "Locked Cast", "--fail", "launch", in: home) { device in
                    let result = try await home.run("play", device.name, CastDevice.clip)
                    #expect(result.status != 0 && result.errors.contains("doesn't allow this computer"), "\(result)")
                }
                try await CastDevice.run(named: "Small Cast", "--audio-only", in: home) { device in
                    let result = try await home.run("play", device.name, CastDevice.clip)
                    #expect(result.status != 0 && result.errors.contains("has no screen"), "\(result)")
                }
                try await CastDevice.run(named: "Failing Cast", "--fail", "playback", in: home) { device in
                    let result = try await home.run("play", device.name, CastDevice.clip)
                    #expect(result.status != 0 && result.errors.contains("stopped with an error"), "\(result)")
                }
                for failure in ["garbage", "silent"] {
                    try await CastDevice.run(named: "\(failure) cast", "--fail", failure, in: home) { device in
                        let result = try await home.run("pair", device.name)
                        #expect(result.status != 0 && result.status < 100, "\(result)")
                    }
                }
                try await home.quit()
            }
        }

        /// The device continues by itself, so a new process of the extension or daemon only has to read its state.
        @Test func itPlaysOnWhenTheExtensionOrTheDaemonDies() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Steady Cast", in: home) { device in
                    try await home.succeed("play", "Steady Cast", CastDevice.clip, "--detach")
                    try await home.session(on: "Steady Cast", "playing") { $0.playback.isPlaying }
                    try await home.killExtension("org.mdhost.googlecast")
                    try await home.session(on: "Steady Cast", "under control again", within: .seconds(20)) {
                        $0.state == "active" && $0.playback.isPlaying && $0.playback.timeRange.duration > 19
                    }
                    try await home.succeed("pause", "Steady Cast")
                    try await device.plays("PAUSED")
                    try await home.killDaemon()
                    try await home.session(on: "Steady Cast", "under control of the next daemon", within: .seconds(20))
                    {
                        $0.state == "active" && !$0.playback.isPlaying
                    }
                    #expect(device.events.count { $0.event == "loading" } == 1, "it wasn't loaded again")
                    try await home.succeed("stop", "Steady Cast")
                    try await device.plays("IDLE CANCELLED")
                    try await home.quit()
                }
            }
        }
    }
}
