import Foundation
import HostClient
import Testing

extension Product {
    /// Devices of every protocol are switched off and on again, with and without a goodbye, with and without a client
    /// that watches the list. Measures how long the list is wrong (docs/discovery.md).
    @Suite struct PresenceTests {
        /// From an answer to the next try, to its repetition without an answer, and a second for the probe.
        private static let untilNoticed = Duration.seconds(8 + 1 + 1)
        /// The extra time for a busy machine.
        private static let slack = Duration.seconds(3) * slowness

        @Test(arguments: SwitchOff.allCases) func whileSomebodyWatches(_ way: SwitchOff) async throws {
            try await SwitchedHome.open { home in
                let watch = try await Watch.open(home.household, awaiting: home.names)
                let began = ContinuousClock.now
                try await home.switchOff(way)
                let off = try await home.times(since: began, within: .seconds(30)) { name in
                    try watch.states(name).last != "found ready"
                }
                let plugged = ContinuousClock.now
                try await home.switchOn(way)
                let on = try await home.times(since: plugged, within: .seconds(30)) { name in
                    try watch.states(name).last == "found ready"
                }
                watch.close()
                for device in home.devices {
                    let (gone, back) = (try #require(off[device.name]), try #require(on[device.name]))
                    home.tell("watched", way, device, gone, back)
                    let limit = way.says(device) ? .seconds(1.5) : Self.untilNoticed
                    #expect(gone <= limit + Self.slack, "\(device.name)")
                    // A receiver that was ended has to start first.
                    #expect(back <= (way == .cut ? .seconds(3) : .seconds(12)) + Self.slack, "\(device.name)")
                }
            }
        }

        @Test(arguments: SwitchOff.allCases) func whileNobodyWatches(_ way: SwitchOff) async throws {
            try await SwitchedHome.open { home in
                try await home.awaitQuiet()
                var began = ContinuousClock.now
                try await home.switchOff(way)
                let off = try await home.look(since: began, for: 3) { !$0 }
                #expect(off.wrong.isEmpty, "listed as ready by a command that began after they were off")
                try await home.awaitQuiet()
                began = .now
                try await home.switchOn(way)
                // An announcement takes a moment to arrive, and so does a cable to carry.
                let on = try await home.look(since: began, for: 40) { $0 }
                for device in home.devices {
                    let (gone, back) = (try #require(off.times[device.name]), try #require(on.times[device.name]))
                    home.tell("unwatched", way, device, gone, back)
                    #expect(gone <= .seconds(2) + Self.slack, "\(device.name)")
                    #expect(back <= (way == .cut ? .seconds(3) : .seconds(12)) + Self.slack, "\(device.name)")
                }
            }
        }
    }
}

/// The ways devices are switched off.
enum SwitchOff: String, CaseIterable, Sendable {
    /// They get a signal to end, and may say goodbye.
    case goodbye
    /// Their cables are pulled, the demo device is killed.
    case cut

    /// Returns whether the network is notified.
    func says(_ device: SwitchedHome.Device) -> Bool {
        switch device.announcement {
        case .host: true
        case .own: self == .goodbye
        case .none: false
        }
    }
}

/// A home with one device of every protocol, each of which can be switched off.
final class SwitchedHome: Sendable {
    struct Device: Sendable {
        /// The announcer of a device.
        enum Announcement: Sendable {
            /// This machine's Avahi, which withdraws the announcement even if the program crashes.
            case host
            /// The device itself.
            case own
            case none
        }

        let protocolName: String
        let name: String
        let announcement: Announcement
        /// The lab's program and the host it runs on.
        var receiver: (program: String, host: String)?
    }

    private static let demo = Device(protocolName: "Reference (mDNS)", name: "Ghost", announcement: .host)

    let devices: [Device]
    private static let others = [
        demo,
        Device(
            protocolName: "DLNA (SSDP), gmediarender", name: "Living Room", announcement: .own,
            receiver: ("gmediarender", "a")),
        Device(
            protocolName: "DLNA (SSDP), Rygel", name: "Audio/Video playback on lab-b", announcement: .none,
            receiver: ("rygel", "b")),
        Device(protocolName: "AirPlay (mDNS)", name: "Shair Room", announcement: .own, receiver: ("shairport", "a")),
        Device(protocolName: "MPD (mDNS)", name: "Open Room", announcement: .own, receiver: ("mpd-open", "c")),
    ]
    let household: Household
    private let server: UnannouncedServer
    private let demo = SwitchedDemo(SwitchedHome.demo.name)

    var names: [String] { devices.map(\.name) }

    private init(_ household: Household, _ server: UnannouncedServer) {
        self.household = household
        self.server = server
        let unannounced = Device(protocolName: "MPD, added by address", name: server.address, announcement: .none)
        devices = Self.others + [unannounced]
    }

    /// Runs `body` while everything is on and listed as ready; afterwards everything is on again.
    static func open(_ body: (SwitchedHome) async throws -> Void) async throws {
        try await Household.open { household in
            let host = try await LabHost.up(UnannouncedServer.host)
            let home = SwitchedHome(household, try UnannouncedServer(host))
            let result: Result<Void, any Error>
            do {
                try await home.server.switchOn()
                try await home.demo.switchOn(household)
                try await household.succeed("device", "add", home.server.address)
                try await eventually("everything that is on", within: .seconds(40)) {
                    let ready = try await household.discover().filter { $0.availability == "ready" }.map(\.name)
                    return Set(ready).isSuperset(of: home.names)
                }
                try await body(home)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            for host in ["a", "b", "c"] { try await LabHost.plug(host, isIn: true) }
            await home.demo.switchOff(by: SIGTERM)
            await home.server.switchOff()
            try await LabHost.down(UnannouncedServer.host)
            try await RealReceivers.start()
            try result.get()
        }
    }

    // MARK: The switch

    func switchOff(_ way: SwitchOff) async throws {
        switch way {
        case .goodbye:
            for case (let program, let host)? in devices.map(\.receiver) {
                try await RealReceivers.end(program, on: host)
            }
            await server.switchOff()
            await demo.switchOff(by: SIGTERM)
        case .cut:
            for host in ["a", "b", "c", UnannouncedServer.host] { try await LabHost.plug(host, isIn: false) }
            await demo.switchOff(by: SIGKILL)
        }
    }

    func switchOn(_ way: SwitchOff) async throws {
        switch way {
        case .goodbye:
            async let receivers: Void = RealReceivers.start()
            try await server.switchOn()
            try await demo.switchOn(household)
            try await receivers
        case .cut:
            for host in ["a", "b", "c", UnannouncedServer.host] { try await LabHost.plug(host, isIn: true) }
            try await demo.switchOn(household)
        }
    }

    // MARK: The list

    /// Waits until the daemon has ended discovery.
    func awaitQuiet() async throws {
        try await eventually("the end of the look", within: .seconds(20)) {
            try JSONLines.one(try await household.succeed("devices", "--json"), as: [ClientDevice].self)
                .allSatisfy { $0.availability == "remembered" }
        }
    }

    /// When `condition` held for each device first.
    func times(
        since began: ContinuousClock.Instant, within limit: Duration, until condition: (String) throws -> Bool
    ) async throws -> [String: Duration] {
        var times: [String: Duration] = [:]
        try await eventually("all of \(names); so far: \(times)", within: limit) {
            for name in names where try times[name] == nil && condition(name) { times[name] = began.duration(to: .now) }
            return times.count == names.count
        }
        return times
    }

    /// Runs `discover` repeatedly until the list is as it should be; `wrong` gets the deviating results.
    func look(
        since began: ContinuousClock.Instant, for runs: Int, expecting isExpected: (Bool) -> Bool
    ) async throws -> (times: [String: Duration], wrong: [String]) {
        var times: [String: Duration] = [:]
        var wrong: [String] = []
        for run in 0..<runs where run == 0 || times.count < names.count {
            let ready = Set(try await household.discover().filter { $0.availability == "ready" }.map(\.name))
            for name in names {
                guard isExpected(ready.contains(name)) else {
                    wrong.append("\(name) in run \(run)")
                    times[name] = nil
                    continue
                }
                if times[name] == nil { times[name] = began.duration(to: .now) }
            }
        }
        return (times, wrong)
    }

    /// A line of the table in docs/discovery.md.
    func tell(_ watching: String, _ way: SwitchOff, _ device: Device, _ gone: Duration, _ back: Duration) {
        func text(_ time: Duration) -> String {
            String(format: "%.1f s", Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
        }
        print("PRESENCE | \(device.protocolName) | \(watching) | \(way.rawValue) | \(text(gone)) | \(text(back)) |")
    }
}

/// A demo device that can be switched on again.
private actor SwitchedDemo {
    private let name: String
    private var command: RunningCommand?

    init(_ name: String) { self.name = name }

    /// Returns once it says that it can be found.
    func switchOn(_ home: Household) async throws {
        let demo = try home.start("demo", "--name", name, "--open", "--json")
        command = demo
        try await Self.awaitReady(demo)
    }

    private static func awaitReady(_ demo: RunningCommand) async throws {
        try await eventually("the demo device") { demo.output.contains("\"ready\"") }
    }

    func switchOff(by signal: Int32) async {
        command?.send(signal)
        _ = await command?.waitForExit()
        command = nil
    }
}

/// An MPD on a host of its own that announces itself nowhere.
private actor UnannouncedServer {
    static let host = "e"

    let address: String
    private let command: [String]
    private var running: RunningCommand?

    init(_ host: LabHost) throws {
        address = host.address
        let folder = LabHost.folder + "/\(Self.host)/mpd-unannounced"
        try FileManager.default.createDirectory(atPath: folder + "/music", withIntermediateDirectories: true)
        try """
        music_directory "\(folder)/music"
        db_file "\(folder)/database"
        log_file "\(folder)/log"
        bind_to_address "::"
        port "6600"
        zeroconf_enabled "no"
        audio_output {
          type "null"
          name "silence"
        }
        """.write(toFile: folder + "/mpd.conf", atomically: true, encoding: .utf8)
        command = host.command(["mpd", "--no-daemon", folder + "/mpd.conf"])
    }

    /// Returns once it takes connections.
    func switchOn() async throws {
        running = try RunningCommand(command)
        try await awaitConnections()
    }

    private func awaitConnections() async throws {
        try await eventually("the unannounced server") { [address] in
            try await Command.run(["/usr/bin/mpc", "--host", address, "status"]).status == 0
        }
    }

    func switchOff() async { await running?.stop() }
}
