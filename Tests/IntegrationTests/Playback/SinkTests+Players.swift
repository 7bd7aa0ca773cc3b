import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

/// Devices that play URLs: they get the sound of their sinks as a stream.
extension Product.SinkTests {
    /// With this script mpv shows its title on the desktop.
    private static let titles = "/usr/lib/mpv-mpris/mpris.so"

    private func play(_ noise: TestNoise, to device: String, _ home: Household, _ desktop: SoundDesktop) async throws {
        try await home.succeed("sink", "add", device)
        let played = try await desktop.run("paplay", "-d", try await node(desktop), noise.path)
        #expect(played.status == 0, "\(played)")
    }

    @Test func aRendererPlaysEverySample() async throws {
        try await open { home, desktop in
            try await home.succeed("volume", "Living Room", "100")
            let noise = try TestNoise(seconds: 4, in: home.folder)
            // Each playback writes it anew, and earlier tests play the same noise.
            try? FileManager.default.removeItem(atPath: Samples.livingRoomFile)
            try await play(noise, to: "Living Room", home, desktop)
            try await eventually("the last sample", within: .seconds(30)) {
                FileManager.default.contents(atPath: Samples.livingRoomFile)?.range(of: noise.samples) != nil
            }
            try await eventually("the end", within: .seconds(25)) { try await home.sessions().isEmpty }
            #expect(try await sinks(home).first?.error == nil)
        }
    }

    /// MPD doesn't play a WAVE file without a length, so it gets bare samples. Its own volume control adds dither.
    @Test func aMusicServerPlaysEverySample() async throws {
        try await open { home, desktop in
            let server = MusicServer.openRoom
            try await home.succeed("volume", server.name, "100")
            let heard = try HeardSamples(LabHost.folder + "/c/mpd-open/samples", in: home.folder)
            let noise = try TestNoise(seconds: 4, in: home.folder)
            try await play(noise, to: server.name, home, desktop)
            try await eventually("the last sample", within: .seconds(30)) { heard.contain(noise.samples) }
            #expect(try await server.address().hasPrefix("http://10.77.0.4:"))
            try await home.succeed("stop", server.name)
            await heard.end()
        }
    }

    /// The speaker shows what mpv shows on the desktop, also when it changes, and nothing of it for another program.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: titles), "needs mpv-mpris: scripts/setup test"))
    func aSpeakerShowsWhatThePlayerShows() async throws {
        let speaker = Speaker.shairRoom
        try await open(hasBus: true) { home, desktop in
            try await home.succeed("sink", "add", speaker.name)
            let node = try await node(desktop)
            let noise = try TestNoise(seconds: 5, in: home.folder)
            let begin = speaker.mark()
            func isTold(_ title: String, by program: RunningCommand? = nil) async throws {
                do {
                    try await eventually("“\(title)” on the speaker", within: .seconds(20)) {
                        try speaker.toldText("minm", since: begin).last?.hasPrefix(title) == true
                    }
                } catch {
                    let told = try speaker.toldText("minm", since: begin)
                    throw WaitedInVain(
                        description: "\(error); it shows \(told); \(program?.output ?? "") \(program?.errors ?? "")")
                }
            }
            let mpv = try mpv(noise, to: node, home, desktop)
            try await isTold("First", by: mpv)
            try await isTold("Second & last", by: mpv)
            try await eventually("the title for everybody") {
                try await home.sessions().first?.title == "Second & last"
            }
            #expect(await mpv.waitForExit() == 0, "\(mpv.errors)")
            #expect(try await desktop.run("paplay", "-d", node, noise.path).status == 0)
            try await isTold("Sound of ")
        }
    }

    /// mpv, which plays twice and shows a title each time.
    private func mpv(
        _ noise: TestNoise, to node: String, _ home: Household, _ desktop: SoundDesktop
    ) throws -> RunningCommand {
        let bus = try #require(home.environment["DBUS_SESSION_BUS_ADDRESS"])
        return try RunningCommand(
            [
                "/usr/bin/mpv", "--no-config", "--no-video", "--script=" + Self.titles,
                "--ao=pulse", "--audio-device=pulse/" + node, "--{", "--force-media-title=First", noise.path, "--}",
                "--{", "--force-media-title=Second & last", noise.path, "--}",
            ],
            environment: desktop.environment.merging([
                "DBUS_SESSION_BUS_ADDRESS": bus, "PULSE_SERVER": "unix:" + desktop.folder + "/run/pulse/native",
            ]) { $1 })
    }

    /// As other clients of the server see it.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: titles), "needs mpv-mpris: scripts/setup test"))
    func aMusicServerShowsWhatThePlayerShows() async throws {
        let server = MusicServer.openRoom
        try await open(hasBus: true) { home, desktop in
            try await home.succeed("sink", "add", server.name)
            let mpv = try mpv(try TestNoise(seconds: 5, in: home.folder), to: try await node(desktop), home, desktop)
            for title in ["First", "Second & last"] {
                try await eventually("“\(title)” on the server", within: .seconds(20)) {
                    try await server.shown() == title + "/"
                }
                try await eventually("the title for everybody") { try await home.sessions().first?.title == title }
            }
            #expect(await mpv.waitForExit() == 0, "\(mpv.errors)")
            try await home.succeed("stop", server.name)
        }
    }

    @Test func everyDeviceThatPlaysSoundGetsASink() async throws {
        try await open { home, desktop in
            let told = try await home.succeed("sink", "add", "--all")
            let names = Set(try await sinks(home).map(\.name))
            #expect(names.isSuperset(of: ["Living Room", "Shair Room", "Open Room"]), "\(told)")
            #expect(!names.contains("This computer"), "it would hear itself")
            #expect(told.split(separator: "\n").count == names.count)
            try await eventually("each in the sound settings") { try await desktop.sinks().count == names.count }
            #expect(try await home.succeed("sink", "add", "--all") == told, "a second time changes nothing")
            #expect(try await home.run("sink", "add", "--all", "Living Room").status == 64)
            #expect(try await home.run("sink", "add").status == 64)
        }
    }
}

/// The samples that a player writes to a named pipe, which `cat` reads as they come: the player drops samples otherwise.
private final class HeardSamples {
    private let file: String
    private let reader: SpawnedProgram

    init(_ pipe: String, in folder: String) throws {
        file = folder + "/heard"
        reader = try SpawnedProgram(["cat", pipe], environment: [:], log: file)
    }

    func end() async { await reader.end() }

    /// Returns a Boolean value that indicates whether the player has written these samples, each within the dither.
    func contain(_ wanted: Data) -> Bool {
        guard let samples = FileManager.default.contents(atPath: file) else { return false }
        let (heard, wanted) = (Self.values(samples), Self.values(wanted))
        guard heard.count >= wanted.count else { return false }
        return stride(from: 0, through: heard.count - wanted.count, by: 2).contains { start in
            wanted.indices.allSatisfy { abs(Int(heard[start + $0]) - Int(wanted[$0])) <= 4 }
        }
    }

    private static func values(_ samples: Data) -> [Int16] {
        samples.prefix(samples.count & ~1).withUnsafeBytes {
            $0.bindMemory(to: Int16.self).map { Int16(littleEndian: $0) }
        }
    }
}
