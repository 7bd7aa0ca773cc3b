import DBus
import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// A request that a device doesn't support is refused, in whichever way it is made.
    @Suite struct RefusalTests {
        /// One request: the words of the command line and the command on D-Bus.
        private struct Wish {
            var words: [String]
            var commands: [PlaybackCommand]
            var sentence: String

            static let speed = Wish(
                words: ["speed", "1.5"], commands: [PlaybackCommand(.setPlaybackSpeed, number: 1.5)],
                sentence: "This device plays at one speed.")
            static let scan = Wish(
                words: ["scan", "forward", "--for", "1"],
                commands: [
                    PlaybackCommand(.setScanSpeed, number: 8), PlaybackCommand(.setMode, identifier: "scanning"),
                ], sentence: "This media can't be scanned.")
            static let audio = Wish(
                words: ["tracks", "--audio", "de"], commands: [PlaybackCommand(.selectAudio, identifier: "de")],
                sentence: "There is no other audio to choose.")
            static let description = Wish(
                words: ["tracks", "--description", "de"],
                commands: [PlaybackCommand(.selectAudioDescription, identifier: "de")],
                sentence: "There is no audio description to choose.")
            static let subtitles = Wish(
                words: ["tracks", "--subtitles", "de"], commands: [PlaybackCommand(.selectLegible, identifier: "de")],
                sentence: "There are no subtitles to choose.")
            static let chapter = Wish(
                words: ["chapters", "--to", "next"], commands: [], sentence: "What plays has no parts.")
            static let mute = Wish(
                words: [], commands: [PlaybackCommand(.setMuted, flag: true)],
                sentence: "This device can't be muted.")
            static let inNoWay = [scan, audio, description, subtitles, chapter]
        }

        /// A device and its unsupported requests, as documented in docs/control.md.
        private struct Row {
            var device: String
            var wishes: [Wish]

            static let receivers = [
                Row(device: "Living Room", wishes: [.speed] + Wish.inNoWay),
                Row(device: "Open Room", wishes: [.speed, .mute] + Wish.inNoWay),
                Row(device: "Shair Room", wishes: [.speed] + Wish.inNoWay),
            ]
        }

        @Test(arguments: Row.receivers.indices) func whatAReceiverCannotDo(_ index: Int) async throws {
            let row = Row.receivers[index]
            try await Household.open { home in
                _ = try await home.discover()
                try await home.succeed("play", row.device, LabMedia.mp3, "--detach")
                try await check(row, home)
                let player = try await Player.only()
                for bound in ["MinimumRate", "MaximumRate"] { #expect(try await player.get(bound) == "d 1") }
                for (property, value) in [
                    ("Rate", ["d", "1.5"]), ("Shuffle", ["b", "true"]), ("LoopStatus", ["s", "Track"]),
                ] {
                    let before = try await player.get(property)
                    let refused = try await player.set(property, value)
                    #expect(refused.status != 0 && refused.errors.contains("does not offer that"), "\(refused)")
                    #expect(try await player.get(property) == before)
                }
                try await home.succeed("stop")
            }
        }

        @Test(Screen.IsThere()) func whatKodiCannotDo() async throws {
            let screen = Screen.kodi
            try await screen.seenOnly(by: "Kodi") { home in
                try await home.succeed("play", screen.name, "http://10.77.0.4:8099/clip.mp4", "--detach")
                try await check(Row(device: screen.name, wishes: [.speed, .description, .chapter]), home)
                try await home.succeed("stop")
            }
        }

        /// Its speeds begin at 0.5: MPRIS offers slower ones, and a refusal of the device is the answer to the write.
        @Test func whatAGoogleCastDeviceCannotDo() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Slow Cast", in: home) { _ in
                    try await home.succeed("play", "Slow Cast", CastDevice.clip, "--detach")
                    let session = try await check(
                        Row(device: "Slow Cast", wishes: [.scan, .description, .chapter]), home)
                    try #require(session.playback.supports(.playbackSpeed))
                    let slow = try await home.run("speed", "0.3", "Slow Cast")
                    #expect(slow.status == 6 && slow.errors.contains("speeds from 0.5 to 2.0"), "\(slow)")
                    let player = try await Player.only()
                    #expect(try await player.get("MinimumRate") == "d 0.25")
                    let refused = try await player.set("Rate", ["d", "0.3"])
                    #expect(refused.status != 0 && refused.errors.contains("speeds from"), "\(refused)")
                    #expect(try await player.get("Rate") == "d 1", "the true value")
                    #expect(try await player.set("Rate", ["d", "2"]).status == 0)
                    try await eventually("the rate") { try await player.get("Rate") == "d 2" }
                    try await home.session(on: "Slow Cast", "its speed") { $0.playback.playbackSpeed == 2 }
                    try await home.succeed("stop")
                }
            }
        }

        /// Checks by command and over D-Bus.
        @discardableResult
        private func check(_ row: Row, _ home: Household) async throws -> ClientSession {
            let session = try await home.session(on: row.device, "plays", within: .seconds(20)) {
                $0.playback.isPlaying
            }
            let client = try await HostClient.connect(to: home.socket, launching: false)
            for wish in row.wishes {
                if !wish.words.isEmpty {
                    let told = try await home.run(wish.words + [row.device])
                    #expect(told.status == 6 && told.output.isEmpty, "\(row.device), \(wish.words): \(told)")
                    #expect(told.errors == "mdhost: \(wish.sentence)\n", "\(row.device), \(wish.words)")
                    let json = try await home.run(wish.words + [row.device, "--json"])
                    let error = (json.json as? [String: Any])?["error"] as? [String: Any]
                    #expect(json.status == 6 && error?["code"] as? String == "not-supported", "\(json)")
                }
                for command in wish.commands {
                    let value = try DBusDictionaryEncoder().encode(command)
                    let error = await #expect(throws: DBusError.self, "\(row.device), \(command)") {
                        try await client.connection.call(
                            nil, path: session.path, interface: HostNames.sessionInterface, member: "Command", [value])
                    }
                    #expect(error?.name == "org.mdhost.Error.NotSupported" && error?.message == wish.sentence)
                }
            }
            await client.close()
            let after = try await home.session(on: row.device, "plays on")
            #expect(after.id == session.id && after.playback.isPlaying)
            #expect(after.playback.playbackSpeed == 1 && after.playback.mode == .normal && !after.playback.isMuted)
            return session
        }

        /// The one player on the session bus, asked by `busctl`.
        private struct Player {
            let name: String

            static func only() async throws -> Player {
                var names: [String] = []
                try await eventually("a player") {
                    let list = try await Command.run(["/usr/bin/busctl", "--user", "--list", "--no-legend"])
                    names = list.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
                        .map(String.init).filter { $0.hasPrefix("org.mpris.MediaPlayer2.mdhost.") }
                    return names.count == 1
                }
                return Player(name: names[0])
            }

            private func run(_ verb: String, _ words: [String]) async throws -> CommandResult {
                try await Command.run(
                    [
                        "/usr/bin/busctl", "--user", verb, name, "/org/mpris/MediaPlayer2",
                        "org.mpris.MediaPlayer2.Player",
                    ]
                        + words)
            }

            func get(_ property: String) async throws -> String {
                try await run("get-property", [property]).output.trimmingCharacters(in: .newlines)
            }

            func set(_ property: String, _ value: [String]) async throws -> CommandResult {
                try await run("set-property", [property] + value)
            }
        }
    }
}
