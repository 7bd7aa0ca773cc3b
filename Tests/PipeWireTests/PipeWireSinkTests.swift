import Foundation
import SoundFeed
import SoundServers
import Synchronization
import Testing

@testable import PipeWire

/// With a real PipeWire, WirePlumber and pipewire-pulse.
@Suite(
    .enabled(if: SoundDesktop.missing(.pipeWire) == nil, "needs PipeWire, WirePlumber and PulseAudio's utilities"),
    .idleProcessor, .timeLimit(.minutes(6)), .serialized)
struct PipeWireSinkTests {
    static let id = "9C9BF886-0F68-50F8-8A19-E3F53590DF18"
    static let node = "mdhost." + id

    func open(
        _ desktop: SoundDesktop, _ sink: ServedSink = ServedSink(id: id, name: "Kitchen", hasLevel: true, canMute: true)
    ) async throws -> PipeWireConnection {
        let connection = try PipeWireConnection(socket: desktop.folder + "/run/pipewire-0", silence: 2)
        try connection.show(sink)
        try await waitUntil("the sink") { try await desktop.sinks().contains("mdhost." + sink.id) }
        return connection
    }

    func next(_ connection: PipeWireConnection) async -> ServedSinkEvent? {
        for await event in connection.events { return event }
        return nil
    }

    /// The audio of two programs comes out from the first sample to the last, with either protocol. Repeated, because
    /// the first block is lost if a program is driven too early.
    @Test(arguments: [["paplay", "-d"], ["pw-play", "--target"]])
    func everySampleComesOut(_ player: [String]) async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            let connection = try await open(desktop)
            for seed in UInt32(1)...4 {
                let noise = try TestNoise(seconds: 1.1, in: desktop.folder, seed: seed)
                let playing = try desktop.begin(player[0], player[1], Self.node, noise.path)
                #expect(await next(connection) == .feed(.sound, id: Self.id))
                let reader = try connection.open(Self.id)
                let begun = ContinuousClock.now
                let heard = await readAll(reader)
                #expect(await playing.status == 0)
                #expect(begun.duration(to: .now) > .seconds(3), "as fast as it is heard, and two seconds of silence")
                #expect(heard.range(of: noise.played(by: player[0])) != nil, "\(noise.missing(in: heard))")
                #expect(await next(connection) == .feed(.quiet, id: Self.id))
            }
            connection.close()
        }
    }

    @Test func silenceStartsNothingAndEndsWhatPlays() async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            let connection = try await open(desktop)
            // A level meter stays connected for as long as its window is open.
            let meter = try desktop.begin("parec", "-d", Self.node + ".monitor", "/dev/null")
            let noise = try TestNoise(seconds: 1, in: desktop.folder)
            let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            let reader = try connection.open(Self.id)
            let heard = await readAll(reader)
            #expect(await playing.status == 0)
            #expect(heard.range(of: noise.samples)?.lowerBound ?? .max < 16_384, "from the first sound on")
            #expect(heard.count > noise.samples.count + 300_000, "and two seconds of silence")
            #expect(await next(connection) == .feed(.quiet, id: Self.id))
            await meter.end()
            connection.close()
        }
    }

    @Test func theLevelIsTheDevices() async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            let connection = try await open(desktop)
            // Before anything was played.
            try connection.show(ServedSink(id: Self.id, name: "Küche", hasLevel: true, canMute: true, level: 0.8))
            var text = ""
            defer { if !text.contains(" 80% ") { Issue.record("\(text)") } }
            try await waitUntil("80 % under another name") {
                text = try await desktop.run("pactl", "list", "sinks").output
                return text.contains(" 80% ") && text.contains("Description: Küche")
            }
            let noise = try TestNoise(seconds: 3, in: desktop.folder)
            let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            // The device reports its level.
            try connection.show(
                ServedSink(id: Self.id, name: "Kitchen", hasLevel: true, canMute: true, level: 0.55))
            try await waitUntil("55 %") {
                try await desktop.run("pactl", "get-sink-volume", Self.node).output.contains(" 55% ")
            }
            // A person moves it.
            #expect(try await desktop.run("pactl", "set-sink-volume", Self.node, "30%").status == 0)
            guard case .level(let level, Self.id) = await next(connection) else {
                throw SoundServerFailure(description: "no level")
            }
            #expect(abs(level - 0.3) < 0.005)
            #expect(try await desktop.run("pactl", "set-sink-mute", Self.node, "1").status == 0)
            #expect(await next(connection) == .muted(true, id: Self.id))
            // The device applies the level and the mute; its samples keep their full volume.
            let reader = try connection.open(Self.id)
            let heard = await readAll(reader)
            #expect(await playing.status == 0)
            #expect(heard.range(of: noise.samples) != nil)
            connection.close()
        }
    }

    /// Programs of both protocols are told when what they play is heard, also while they play.
    @Test func theDelayIsTold() async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            var sink = ServedSink(id: Self.id, name: "Kitchen", hasLevel: true, canMute: true, delay: 1.5)
            let connection = try await open(desktop, sink)
            func told(_ delay: String) async throws {
                try await waitUntil("a delay of \(delay) ns") {
                    let latencies = try await desktop.run("pw-dump", "--no-colors").output
                        .split(separator: "\n").filter { $0.contains("\"maxNs\"") }
                    return latencies.contains { $0.contains(" \(delay)") }
                }
            }
            try await told("1500000000")
            let noise = try TestNoise(seconds: 3, in: desktop.folder)
            let playing = try desktop.begin("paplay", "-v", "--latency-msec=100", "-d", Self.node, noise.path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            let reader = try connection.open(Self.id)
            async let heard = readAll(reader)
            sink.delay = 2.25
            try connection.show(sink)
            try await told("2250000000")
            #expect(connection.progress(of: Self.id) != nil)
            // With what waits in the program itself.
            try await waitUntil("what a client of PulseAudio sees") {
                let latency = desktop.log.components(separatedBy: "Latency: ").last?.split(separator: " ").first
                return latency.flatMap { Int($0) }.map { 2_250_000...2_500_000 ~= $0 } == true
            }
            #expect(await playing.status == 0)
            #expect(await heard.range(of: noise.samples) != nil, "a new delay interrupts nothing")
            #expect(connection.progress(of: Self.id) == nil)
            connection.close()
        }
    }

    @Test func severalSinksAtOnceAndEachForItself() async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            let connection = try await open(desktop)
            try connection.show(ServedSink(id: "B", name: "Bath", hasLevel: true))
            try await waitUntil("both") { try await desktop.sinks().count == 2 }
            let noises = [
                try TestNoise(seconds: 3, in: desktop.folder), try TestNoise(seconds: 3, in: desktop.folder, seed: 7),
            ]
            let players = [
                try desktop.begin("paplay", "-d", Self.node, noises[0].path),
                try desktop.begin("paplay", "-d", "mdhost.B", noises[1].path),
            ]
            var sounding: Set<ServedSinkEvent> = []
            for await event in connection.events where sounding.insert(event).inserted && sounding.count == 2 { break }
            #expect(sounding == [.feed(.sound, id: Self.id), .feed(.sound, id: "B")])
            let readers = [try connection.open(Self.id), try connection.open("B")]
            async let first = readAll(readers[0])
            async let second = readAll(readers[1])
            for player in players { #expect(await player.status == 0) }
            #expect(await first.range(of: noises[0].samples) != nil)
            #expect(await second.range(of: noises[1].samples) != nil)
            connection.remove("B")
            try await waitUntil("one") { try await desktop.sinks() == [Self.node] }
            connection.close()
            try await waitUntil("none") { try await desktop.sinks().isEmpty }
        }
    }

    @Test func aServerThatGoesIsTold() async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            let connection = try await open(desktop)
            // Also while a program plays.
            let noise = try TestNoise(seconds: 3, in: desktop.folder)
            let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            await desktop.stop()
            while await next(connection) != nil {}
            await playing.end()
            connection.close()
            #expect(throws: SoundServerError.self) {
                try PipeWireConnection(socket: desktop.folder + "/run/pipewire-0")
            }
        }
    }
}
