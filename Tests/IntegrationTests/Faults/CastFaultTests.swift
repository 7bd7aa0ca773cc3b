import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// A Google Cast device that loses its network, or has another address. The other faults are in `CastTests` and
    /// `CastSoundTests`.
    @Suite struct CastFaultTests {
        @Test(.reports(.cableCut)) func aCutCableDoesNotEndThePlayback() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Wired Cast", in: home) { device in
                    try await home.succeed("play", device.name, CastDevice.clip, "--detach")
                    try await home.session(on: device.name, "playing") { $0.playback.isPlaying }
                    try await FaultTrial.run(
                        .cableCut, "of a Google Cast device", on: home, devices: [device.name], expecting: .nothing
                    ) { trial in
                        try await LabHost.plug("c", isIn: false)
                        trial.strikes()
                        do { try await trial.shows("discover", "unreachable", within: .seconds(15)) } catch {
                            try await LabHost.plug("c", isIn: true)
                            throw error
                        }
                        try await LabHost.plug("c", isIn: true)
                        trial.isMended()
                        try await trial.recovers("discover", "ready", within: .seconds(15))
                    }
                    try await home.session(on: device.name, "under control again", within: .seconds(20)) {
                        $0.state == "active"
                    }
                    try await home.succeed("pause", device.name)
                    try await device.plays("PAUSED")
                    #expect(device.events.count { $0.event == "loading" } == 1, "it wasn't loaded again")
                    try await home.succeed("stop", device.name)
                    try await home.quit()
                }
            }
        }

        @Test(.reports(.addressChanged)) func aDeviceIsTheSameAtAnotherAddress() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Moving Cast", in: home) { device in
                    try await home.succeed("play", device.name, CastDevice.clip, "--detach")
                    try await home.session(on: device.name, "playing") { $0.playback.isPlaying }
                    let before = try await home.device(device.name)
                    let result: Result<Void, any Error>
                    do {
                        try await FaultTrial.run(
                            .addressChanged, "of a Google Cast device", on: home, devices: [device.name],
                            expecting: .nothing
                        ) { trial in
                            try await LabHost.renumber("10.77.0.34")
                            trial.strikes()
                            try await eventually("the new address", within: .seconds(20)) {
                                let found = try await home.device(device.name)
                                return found.endpoints.contains { $0.hasPrefix("10.77.0.34:") }
                                    && found.availability == "ready"
                            }
                            trial.tells("pause", try await home.run("pause", device.name))
                            try await device.plays("PAUSED")
                            trial.hasRecovered()
                        }
                        result = .success(())
                    } catch {
                        result = .failure(error)
                    }
                    try await LabHost.renumber("10.77.0.3")
                    try result.get()
                    #expect(try await home.device(device.name).id == before.id)
                    #expect(device.events.count { $0.event == "loading" } == 1, "it wasn't loaded again")
                    try await home.succeed("stop", device.name)
                    try await home.quit()
                }
            }
        }
    }
}
