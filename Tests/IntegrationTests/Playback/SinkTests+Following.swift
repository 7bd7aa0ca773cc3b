import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

/// Devices that get a sink because they are found.
extension Product.SinkTests {
    private func names(_ home: Household) async throws -> Set<String> { Set(try await sinks(home).map(\.name)) }

    @Test func newDevicesGetASinkAndRemovedOnesDoNot() async throws {
        try await open { home, desktop in
            #expect(try await home.succeed("sink", "follow").hasPrefix("Every device that is found gets a sink."))
            try await eventually("those of the lab") {
                try await names(home).isSuperset(of: ["Living Room", "Shair Room", "Open Room"])
            }
            #expect(try await !names(home).contains("This computer"), "it would hear itself")
            #expect(try await sinks(home).allSatisfy { $0.isAutomatic == true })
            #expect(try await home.run("sink", "list").errors.contains("New devices get sinks."))

            var renderer = SwitchedDevice(number: 7, kind: .renderer)
            try await renderer.switchOn(home)
            _ = try await home.discover()
            try await eventually("the new one") { try await names(home).contains(renderer.name) }
            try await eventually("each in the sound settings") {
                let shown = try await desktop.sinks().count
                return try await sinks(home).count == shown
            }
            #expect(try await home.succeed("sink", "remove", renderer.name) == "Removed the sink for Switched 7.\n")

            // Gone and found again, by this daemon and the next one.
            await renderer.switchOff(by: SIGTERM, in: home)
            _ = try await home.discover()
            try await renderer.switchOn(home)
            try await eventually("that it is found") {
                try await home.discover().contains { $0.name == renderer.name }
            }
            #expect(try await !names(home).contains(renderer.name))
            try await home.killDaemon()
            try await eventually("the others, by the next daemon") {
                let names = try await names(home)
                let shown = try await desktop.sinks().count
                return names.contains("Shair Room") && shown == names.count
            }
            try await eventually("that it is found") {
                try await home.discover().contains { $0.name == renderer.name }
            }

            // A device that was off until now.
            var server = SwitchedDevice(number: 8, kind: .musicServer)
            try await server.switchOn(home)
            _ = try await home.discover()
            try await eventually("one that the next daemon finds") { try await names(home).contains(server.name) }
            #expect(try await !names(home).contains(renderer.name), "it was removed")

            try await home.succeed("sink", "add", renderer.name)
            #expect(try await sinks(home).first { $0.name == renderer.name }?.isAutomatic == nil)
            let removal = try await home.run("sink", "remove", "--all")
            #expect(removal.status == 0 && removal.errors.contains("New devices no longer get sinks."), "\(removal)")
            _ = try await home.discover()
            #expect(try await sinks(home).isEmpty)
            try await eventually("no sink") { try await desktop.sinks().isEmpty }
            await renderer.switchOff(by: SIGTERM, in: home)
            await server.switchOff(by: SIGTERM, in: home)
        }
    }

    @Test func aSinkPlaysThatNobodyAsked() async throws {
        let speaker = Speaker.shairRoom
        try await open(.pulseAudio) { home, desktop in
            try await speaker.setFullVolume(home)
            try await home.succeed("sink", "follow")
            try await eventually("its sink") { try await names(home).contains(speaker.name) }
            // First, as a device that is found after the list was read would get a sink that stays.
            #expect(try await home.succeed("sink", "follow", "--off").hasPrefix("New devices no longer get sinks."))
            for sink in try await sinks(home) where sink.name != speaker.name {
                try await home.succeed("sink", "remove", sink.name)
            }
            try await eventually("it alone") { try await desktop.sinks().count == 1 }
            let noise = try TestNoise(seconds: 3, in: home.folder)
            let begin = speaker.mark()
            #expect(try await desktop.run("paplay", "-d", try await node(desktop), noise.path).status == 0)
            try await eventually("the last sample") { try speaker.played(noise.samples, since: begin) }
        }
    }
}
