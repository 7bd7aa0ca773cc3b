import Foundation
import HostClient
import SoundServers
import Testing

/// Devices that play URLs: they get the sound of their sinks as a stream.
extension Product.SinkTests {
    private func play(_ noise: TestNoise, to device: String, _ home: Household, _ desktop: SoundDesktop) async throws {
        try await home.succeed("sink", "add", device)
        let played = try await desktop.run("paplay", "-d", try await node(desktop), noise.path)
        #expect(played.status == 0, "\(played)")
    }

    @Test func aRendererPlaysEverySample() async throws {
        try await open { home, desktop in
            try await home.succeed("volume", "Living Room", "100")
            let noise = try TestNoise(seconds: 4, in: home.folder)
            let before = try FileHandle(forReadingFrom: URL(filePath: Samples.livingRoomFile)).seekToEnd()
            try await play(noise, to: "Living Room", home, desktop)
            try await eventually("the last sample", within: .seconds(30)) {
                let file = try FileHandle(forReadingFrom: URL(filePath: Samples.livingRoomFile))
                defer { try? file.close() }
                try file.seek(toOffset: before)
                return try file.readToEnd()?.range(of: noise.samples) != nil
            }
            try await eventually("the end", within: .seconds(25)) { try await home.sessions().isEmpty }
            #expect(try await sinks(home).first?.error == nil)
        }
    }

    /// It doesn't play a WAVE file without a length, so it gets bare samples.
    @Test func aMusicServerPlaysEverySample() async throws {
        try await open { home, desktop in
            let server = MusicServer.openRoom
            try await home.succeed("volume", server.name, "100")
            let heard = try HeardSamples(LabHost.folder + "/c/mpd-open/samples")
            let noise = try TestNoise(seconds: 4, in: home.folder)
            try await play(noise, to: server.name, home, desktop)
            try await eventually("the last sample", within: .seconds(30)) { heard.contain(noise.samples) }
            #expect(try await server.address().hasPrefix("http://10.77.0.4:"))
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

/// The samples that a player writes to a named pipe.
private final class HeardSamples {
    private let descriptor: Int32
    private var samples = Data()

    init(_ pipe: String) throws {
        descriptor = Glibc.open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    func contain(_ wanted: Data) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            samples += bytes[..<count]
        }
        return samples.range(of: wanted) != nil
    }
}
