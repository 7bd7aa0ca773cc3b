import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Playing an address on gmediarender, with raw SOAP and its own samples as witnesses.
    @Suite struct RendererTests {
        private let renderer = Renderer.livingRoom
        private let name = "Living Room"

        @Test func whatPlaysIsTheRightSoundAndIsTold() async throws {
            try await renderer.setVolume(100)
            try await renderer.setMuted(false)
            try await Household.open { home in
                let started = try await home.succeed("play", name, LabMedia.mp3, "--detach", "--json")
                let session: ClientSession = try JSONLines.one(started)
                #expect(session.state == "active" && session.source == LabMedia.mp3)
                try await renderer.awaitState("PLAYING")
                #expect(try await renderer.address() == LabMedia.mp3)
                try await eventually("a 440 Hz tone") {
                    guard let samples = Samples(endOf: Samples.livingRoomFile) else { return false }
                    return samples.loudness > 0.02 && samples.share(of: 440) > 0.95
                }
                let playing = try await home.session(on: name, "title, length and readiness") {
                    $0.title == "Lab Tone" && $0.playback.timeRange.duration == 30 && $0.playback.isReady
                }
                #expect(playing.playback.isPlaying && playing.playback.position.rate == 1)
                let table = try await home.succeed("sessions")
                #expect(
                    table.contains("Living Room") && table.contains("playing") && table.contains("/ 0:30  Lab Tone"))
                try await expectSamePosition(home)
                try await home.quit()
                try await renderer.awaitState("STOPPED", "NO_MEDIA_PRESENT")
            }
        }

        @Test func commandsReachTheDevice() async throws {
            try await Household.open { home in
                try await home.succeed("play", name, LabMedia.flac, "--detach")
                try await renderer.awaitState("PLAYING")
                try await home.succeed("pause")
                try await renderer.awaitState("PAUSED_PLAYBACK")
                try await home.session(on: name, "paused") { !$0.playback.isPlaying && $0.playback.position.rate == 0 }
                try await home.succeed("resume", name)
                try await renderer.awaitState("PLAYING")
                try await home.succeed("seek", "0:20")
                try await eventually("20 s") { (20..<24).contains(try await renderer.position()) }
                try await expectSamePosition(home)
                try await home.succeed("seek", "--", "-10")
                try await eventually("10 s") { (10..<16).contains(try await renderer.position()) }
                try await home.succeed("volume", name, "35")
                try await eventually("volume 35") { try await renderer.volume() == 35 }
                try await home.succeed("volume", name, "+5")
                try await eventually("volume 40") { try await renderer.volume() == 40 }
                try await home.succeed("mute", name)
                try await eventually("muted") { try await renderer.isMuted() }
                try await home.succeed("mute", name, "--off")
                try await eventually("not muted") { try await !renderer.isMuted() }
                try await home.succeed("stop")
                try await renderer.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                #expect(try await home.sessions().isEmpty)
            }
        }

        @Test func whatHappensAtTheDeviceIsSeen() async throws {
            try await renderer.setVolume(50)
            try await renderer.setMuted(false)
            try await Household.open { home in
                try await home.succeed("play", name, LabMedia.mp3, "--detach")
                try await home.session(on: name, "playing") { $0.playback.isPlaying && $0.playback.isReady }
                try await renderer.pause()
                try await home.session(on: name, "paused") { !$0.playback.isPlaying }
                try await renderer.play()
                try await home.session(on: name, "playing") { $0.playback.isPlaying }
                try await renderer.setVolume(72)
                try await eventually("volume 72") { try await isNear(home.device(name).volume, 0.72) }
                try await home.session(on: name, "its volume") { isNear($0.playback.volume, 0.72) }
                try await renderer.setMuted(true)
                try await eventually("muted") { try await home.device(name).isMuted }
                try await renderer.setMuted(false)
                try await eventually("not muted") { try await !home.device(name).isMuted }
                try await renderer.seek(15)
                try await eventually("the new position") {
                    let session = try await home.session(on: name, "is there")
                    return (15..<29).contains(session.playback.position(at: monotonicNow()))
                }
                try await renderer.stop()
                try await eventually("the end of the session") { try await home.sessions().isEmpty }
                #expect(try await home.device(name).activation == "idle")
            }
        }

        @Test func aCommandInFrontFollowsTheSessionToItsNaturalEnd() async throws {
            try await Household.open { home in
                let result = try await home.run("play", name, LabMedia.mp3, "--from", "26", "--json")
                #expect(result.status == 0, "\(result)")
                #expect(result.duration < .seconds(15), "4 of 30 s are left: \(result)")
                let states = try JSONLines.all(result.output, as: ClientSession.self)
                #expect(states.first?.state == "active" && states.last?.state == "ended", "\(result)")
                #expect(states.contains { $0.playback.isPlaying && $0.playback.position.value >= 25 }, "\(result)")
                #expect(states.last?.error == nil)
                #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 }, "a line tells a change")
                #expect(try await home.sessions().isEmpty)
            }
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func aSignalStopsTheDevice(_ signal: Int32) async throws {
            try await Household.open { home in
                let play = try home.start("play", name, LabMedia.mp3, "--json")
                try await renderer.awaitState("PLAYING")
                try await home.session(on: name, "playing") { $0.playback.isPlaying && $0.playback.isReady }
                play.send(signal)
                let status = await play.waitForExit()
                #expect(status == 0, "\(play.errors)")
                // The command ends after the device has carried it out.
                #expect(["STOPPED", "NO_MEDIA_PRESENT"].contains(try await renderer.state()))
                #expect(try await home.sessions().isEmpty)
            }
        }

        @Test func keysControlWhatPlays() async throws {
            try await renderer.setVolume(50)
            try await Household.open { home in
                let player = try await Typist.open(home, "play", name, LabMedia.mp3)
                try await player.sees("Lab Tone")
                player.type(" ")
                try await renderer.awaitState("PAUSED_PLAYBACK")
                try await player.sees("‖")
                player.type(" ")
                try await renderer.awaitState("PLAYING")
                player.type("\u{1B}[C")
                try await eventually("10 s on") { try await renderer.position() >= 10 }
                player.type("\u{1B}[A")
                try await eventually("louder") { try await renderer.volume() == 55 }
                player.type("m")
                try await eventually("muted") { try await renderer.isMuted() }
                player.type("m")
                try await eventually("not muted") { try await !renderer.isMuted() }
                player.type("d")
                #expect(await player.end() == 0)
                #expect(try await renderer.state() == "PLAYING", "d leaves it playing")
                try await home.succeed("stop")
            }
        }

        @Test func theSubscriptionsEndWithTheSession() async throws {
            let wire = try await Wire.open(port: "va", "tcp port 49494 or host 10.77.0.1 and tcp")
            try await Household.open { home in
                try await home.succeed("play", name, LabMedia.mp3, "--detach")
                try await eventually("the device confirms") { try await wire.identifiers("SUBSCRIBE").count >= 2 }
                try await home.succeed("stop")
                try await eventually("every subscription ends") {
                    let (begun, ended) = (
                        try await wire.identifiers("SUBSCRIBE"), try await wire.identifiers("UNSUBSCRIBE")
                    )
                    return begun == ended
                }
            }
            await wire.close()
        }

        private func expectSamePosition(_ home: Household) async throws {
            let session = try await home.session(on: name, "is there")
            let (told, real) = (session.playback.position(at: monotonicNow()), try await renderer.position())
            // The device counts whole seconds.
            #expect(abs(told - real) < 1.6, "\(told) s told, \(real) s at the device")
        }
    }
}
