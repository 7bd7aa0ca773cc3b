import Foundation
import HostClient
import Testing

extension Product {
    /// Ten devices, simulated and real ones, are switched on and off at random while `discover` runs repeatedly: every
    /// device listed as ready is present, and every present device is listed.
    ///
    /// `MDHOST_SWITCHINGS` sets the number of switchings (60); the seed is printed, and `MDHOST_FAULT_SEED` repeats it.
    @Suite struct SwitchingTests {
        @Test(arguments: [
            [SwitchedDevice.Kind.demo],
            // Each way in which devices are found: announced on this machine, by SSDP, and by mDNS from another one.
            [.demo, .renderer, .musicServer],
        ])
        func whatIsListedAsReadyIsThere(_ kinds: [SwitchedDevice.Kind]) async throws {
            try await Household.open { home in
                var random = SplitMix(state: FaultPlan.seed)
                print("SWITCHING \(kinds.map(\.rawValue)), seed \(FaultPlan.seed)")
                var devices = (0..<10).map { SwitchedDevice(number: $0, kind: kinds[$0 % kinds.count]) }
                var tally = Tally()
                var watcher: RunningCommand?
                for number in 0..<FaultPlan.switchings {
                    let index = Int.random(in: devices.indices, using: &random)
                    if devices[index].isOn {
                        await devices[index].switchOff(by: Bool.random(using: &random) ? SIGKILL : SIGTERM, in: home)
                    } else {
                        try await devices[index].switchOn(home)
                    }
                    // Another client runs discovery for a third of the time.
                    if number % 30 == 10 { watcher = try home.start("discover", "--watch", "--json") }
                    if number % 30 == 20, let watching = watcher {
                        await watching.stop()
                        watcher = nil
                    }
                    guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
                    // Now and then longer than the daemon's discovery lingers.
                    let pause = number % 20 == 19 ? 11_000 : Int.random(in: 0...400, using: &random)
                    try await Task.sleep(for: .milliseconds(pause))
                    try await look(home, devices, &tally)
                }
                await watcher?.stop()
                for index in devices.indices where devices[index].isOn {
                    await devices[index].switchOff(by: SIGTERM, in: home)
                }
                print("SWITCHING \(kinds.map(\.rawValue)), \(FaultPlan.switchings) switchings: \(tally)")
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
                if !isReady, device.isOn, age > device.kind.timeToAnnounce * slowness {
                    tally.missed.append("\(device.name), on for \(age)")
                }
                tally.judged += 1
            }
        }
    }
}

/// The result of many discoveries.
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

/// A device with a switch.
struct SwitchedDevice {
    enum Kind: String {
        case demo
        /// gmediarender in host a, found by SSDP.
        case renderer
        /// MPD in host c, found by mDNS.
        case musicServer

        /// The time until others can find it, from the moment in which it is on.
        var timeToAnnounce: Duration {
            switch self {
            // Avahi announces a service for almost a second before it can be found.
            case .demo: .seconds(1)
            case .renderer: .seconds(1)
            // It answers before Avahi was told of it.
            case .musicServer: .seconds(2)
            }
        }

        var host: String { self == .renderer ? "a" : "c" }
    }

    let number: Int
    let kind: Kind
    private(set) var command: RunningCommand?
    /// When it was switched last.
    private(set) var changed: ContinuousClock.Instant?
    /// The number of times it was switched on. Each time it gets another port: the last one may still be in use.
    private var rounds = 0

    init(number: Int, kind: Kind) {
        self.number = number
        self.kind = kind
    }

    var name: String { "Switched \(number)" }
    var isOn: Bool { command != nil }

    /// Returns once it says that it can be found, or answers.
    mutating func switchOn(_ home: Household) async throws {
        let folder = home.folder + "/switched-\(number)"
        rounds += 1
        let port = (kind == .renderer ? 50_000 : 6_700) + number + 10 * rounds
        let device: RunningCommand
        switch kind {
        case .demo:
            device = try home.start("demo", "--name", name, "--open", "--json")
            try await eventually("\(name) is on") { device.output.contains("\"ready\"") }
        case .renderer:
            device = try start(
                "gmediarender", "--interface-name", "eth0", "--friendly-name", name, "--port", "\(port)",
                "--uuid", "6d64686f-7374-4c61-8000-0000000001\(number)0", "--gstout-audiosink", "fakesink",
                "--gstout-videosink", "fakesink", in: folder)
            let description = "http://10.77.0.1:\(port)/description.xml"
            try await eventually("\(name) is on") {
                try await Command.run(["/usr/bin/curl", "--silent", "--fail", "--max-time", "1", description]).status
                    == 0
            }
        case .musicServer:
            try FileManager.default.createDirectory(atPath: folder + "/playlists", withIntermediateDirectories: true)
            try """
            playlist_directory "\(folder)/playlists"
            bind_to_address "::"
            port "\(port)"
            zeroconf_enabled "yes"
            zeroconf_name "\(name)"
            audio_output {
              type "null"
              name "none"
            }

            """.write(toFile: folder + "/mpd.conf", atomically: true, encoding: .utf8)
            device = try start("mpd", "--no-daemon", folder + "/mpd.conf", in: folder)
            try await eventually("\(name) is on") {
                try await Command.run(["/usr/bin/mpc", "--host", "10.77.0.3", "--port", "\(port)", "version"]).status
                    == 0
            }
        }
        (command, changed) = (device, .now)
    }

    /// Starts a program in its host, whose process identifier it leaves in the folder.
    private func start(_ words: String..., in folder: String) throws -> RunningCommand {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return try RunningCommand(
            [LabHost.script, "in", kind.host, "sh", "-c", "echo $$ >\"$0\"; exec \"$@\"", folder + "/pid"] + words)
    }

    mutating func switchOff(by signal: Int32, in home: Household) async {
        if kind == .demo {
            command?.send(signal)
        } else if let process = try? String(contentsOfFile: home.folder + "/switched-\(number)/pid", encoding: .utf8) {
            _ = try? await LabHost.run(
                "kill", "-\(signal)", process.trimmingCharacters(in: .whitespacesAndNewlines), on: kind.host)
        }
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
