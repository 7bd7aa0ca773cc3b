import Foundation
import HostClient
import Testing

extension Product {
    /// Ten devices are switched on and off at random while `discover` runs again and again: what it lists as ready is there,
    /// and what is there is listed.
    ///
    /// `MDHOST_SWITCHINGS` says how often one is switched (60); the seed is printed, and `MDHOST_FAULT_SEED` repeats it.
    @Suite struct SwitchingTests {
        @Test func whatIsListedAsReadyIsThere() async throws {
            try await Household.open { home in
                var random = SplitMix(state: FaultPlan.seed)
                print("SWITCHING seed \(FaultPlan.seed)")
                var devices = (0..<10).map { SwitchedDevice(name: "Switched \($0)") }
                var tally = Tally()
                var watcher: RunningCommand?
                for number in 0..<FaultPlan.switchings {
                    let index = Int.random(in: devices.indices, using: &random)
                    if devices[index].isOn {
                        await devices[index].switchOff(by: Bool.random(using: &random) ? SIGKILL : SIGTERM)
                    } else {
                        try await devices[index].switchOn(home)
                    }
                    // Somebody else looks in a third of the time, for a while each.
                    if number % 30 == 10 { watcher = try home.start("discover", "--watch", "--json") }
                    if number % 30 == 20, let watching = watcher {
                        await watching.stop()
                        watcher = nil
                    }
                    guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
                    // Now and then longer than the daemon goes on looking.
                    let pause = number % 20 == 19 ? 11_000 : Int.random(in: 0...400, using: &random)
                    try await Task.sleep(for: .milliseconds(pause))
                    try await look(home, devices, &tally)
                }
                await watcher?.stop()
                for device in devices where device.isOn { await device.command?.stop() }
                print("SWITCHING \(FaultPlan.switchings) switchings: \(tally)")
                #expect(tally.falselyReady.isEmpty)
                #expect(tally.missed.isEmpty)
            }
        }

        private func look(_ home: Household, _ devices: [SwitchedDevice], _ tally: inout Tally) async throws {
            let began = ContinuousClock.now
            let result = try await home.run("discover", "--json")
            try #require(result.status == 0, "\(result)")
            let listed = try JSONLines.one(result.output, as: [ClientDevice].self)
            tally.durations.append(result.duration)
            for device in devices {
                // A name may be listed twice: a device that is remembered, and its successor.
                let isReady = listed.contains { $0.name == device.name && $0.availability == "ready" }
                let age = device.changed.map { $0.duration(to: began) } ?? .seconds(3600)
                if isReady, !device.isOn { tally.falselyReady.append("\(device.name), off for \(age)") }
                // Avahi announces a service for almost a second before it can be found.
                if !isReady, device.isOn, age > .seconds(1) * slowness {
                    tally.missed.append("\(device.name), on for \(age)")
                }
                tally.judged += 1
            }
        }
    }
}

/// What came of many looks.
private struct Tally: CustomStringConvertible {
    var judged = 0
    var falselyReady: [String] = []
    var missed: [String] = []
    var durations: [Duration] = []

    var description: String {
        let sorted = durations.sorted()
        let (median, longest) = (sorted.isEmpty ? .zero : sorted[sorted.count / 2], sorted.last ?? .zero)
        let percentile = sorted.isEmpty ? .zero : sorted[sorted.count * 95 / 100]
        return """
            \(durations.count) looks at \(judged) devices: \(falselyReady.count) falsely ready \(falselyReady), \
            \(missed.count) missed \(missed); took \(median) (median), \(percentile) (95 %), \(longest) (longest)
            """
    }
}

/// A demo device with a switch.
private struct SwitchedDevice {
    let name: String
    private(set) var command: RunningCommand?
    /// When it was switched last.
    private(set) var changed: ContinuousClock.Instant?

    init(name: String) { self.name = name }

    var isOn: Bool { command != nil }

    /// Returns once it says that it can be found.
    mutating func switchOn(_ home: Household) async throws {
        let demo = try home.start("demo", "--name", name, "--open", "--json")
        try await eventually("\(name) is on") { demo.output.contains("\"ready\"") }
        (command, changed) = (demo, .now)
    }

    mutating func switchOff(by signal: Int32) async {
        command?.send(signal)
        _ = await command?.waitForExit()
        (command, changed) = (nil, .now)
    }
}

/// SplitMix64, for runs that can be repeated.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
