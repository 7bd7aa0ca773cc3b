import Foundation
import HostClient
import Testing

extension Product {
    /// Devices that vanish without a goodbye, and come back: reported in time, and never falsely (design §5.1, §9).
    ///
    /// Bounds are those of the design; `avahi-browse` runs in parallel and keeps listing vanished devices.
    @Suite struct LivenessTests {
        @Test(.reports(.cableCut)) func aCutCableIsNoticedWhileSomebodyLooks() async throws {
            try await Household.open { home in
                let watch = try await Watch.open(home, awaiting: ["Living Room", "MPD Room", "Open Room"])
                let avahi = try RunningCommand(["/usr/bin/avahi-browse", "--parsable", "_mpd._tcp"])
                try await eventually("avahi-browse") { avahi.output.contains("Open\\032Room") }
                var times: [String: [Duration]] = [:]
                try await FaultTrial.run(
                    .cableCut, "while somebody looks", on: home, devices: Set(watch.names), expecting: .nothing
                ) { trial in
                    try await LabHost.plug("a", isIn: false)
                    try await LabHost.plug("c", isIn: false)
                    let cut = ContinuousClock.now
                    trial.strikes()
                    for name in watch.names {
                        try await watch.await("lost", name, within: .seconds(25))
                        times[name] = [cut.duration(to: watch.last)]
                        #expect(watch.last - cut <= .seconds(20), "\(name) lost after \(watch.last - cut)")
                    }
                    // Services of other tests come and go in it.
                    let isStillListed = !avahi.output.split(separator: "\n").contains { line in
                        line.hasPrefix("-;") && ["MPD\\032Room", "Open\\032Room"].contains { line.contains($0) }
                    }
                    #expect(isStillListed, "the peer's list: \(avahi.output)")
                    try await LabHost.plug("a", isIn: true)
                    try await LabHost.plug("c", isIn: true)
                    let plugged = ContinuousClock.now
                    trial.isMended()
                    for name in watch.names {
                        try await watch.await("found", name, within: .seconds(10))
                        times[name]?.append(plugged.duration(to: watch.last))
                    }
                    trial.hasRecovered()
                }
                await avahi.stop()
                watch.close()
                for (name, times) in times.sorted(by: { $0.key < $1.key }) {
                    print("LIVENESS cable cut, picker open: \(name): lost \(times[0]), back \(times[1]); Avahi: listed")
                    // The extra time for a command on a loaded machine, on top of the two seconds.
                    #expect(times[1] <= .seconds(4) * slowness, "\(name) back after \(times[1])")
                }
            }
        }

        /// One of them is playing: its absence is noticed sooner, and it has lost its playback itself.
        @Test(.reports(.powerCut)) func aHostWithoutPowerIsNoticed() async throws {
            try await Household.open { home in
                let watch = try await Watch.open(home, awaiting: ["MPD Room", "Open Room"])
                try await home.succeed("pair", "MPD Room", input: "sesame\n")
                try await home.succeed("play", "--detach", "Open Room", LabMedia.flac)
                try await FaultTrial.run(
                    .powerCut, on: home, devices: ["MPD Room"], playing: [Witness(.openRoom)], expecting: .nothing
                ) { trial in
                    try await LabHost.down("c")
                    let cut = ContinuousClock.now
                    trial.strikes()
                    let inUse = try await trial.shows("discover", "unreachable", within: .seconds(10))
                    try await watch.await("lost", "MPD Room", within: .seconds(25))
                    let listed = watch.last - cut
                    print("LIVENESS power cut: in a session: lost \(inUse), picker open: lost \(listed)")
                    #expect(inUse <= .seconds(6) && listed <= .seconds(20))
                    // Otherwise it might resume from its saved state.
                    try? FileManager.default.removeItem(atPath: LabHost.folder + "/c/mpd-open/state")
                    _ = try await LabHost.up("c")
                    trial.isMended()
                    try await RealReceivers.start()
                    try await watch.await("found", "MPD Room", within: .seconds(20))
                    try await trial.recovers("sessions", "ended")
                    try await eventually("an idle device") {
                        // It may be missing from the list for a moment, as nothing uses it any more.
                        let device = try await home.status().devices.first { $0.name == "Open Room" }
                        return device?.availability == "ready" && device?.activation == "idle"
                    }
                    trial.hasRecovered()
                }
                watch.close()
            }
        }

        /// Without discovery, the session alone is the reason to monitor its device.
        @Test(.reports(.cableCut)) func aDeviceInUseIsUnreachableAndComesBack() async throws {
            try await Household.open { home in
                try await home.succeed("play", "--detach", "Open Room", LabMedia.flac)
                try await FaultTrial.run(
                    .cableCut, "while it plays", on: home, playing: [Witness(.openRoom)], expecting: .goOn
                ) { trial in
                    try await LabHost.plug("c", isIn: false)
                    trial.strikes()
                    let lost = try await trial.shows("discover", "unreachable", within: .seconds(10))
                    try await LabHost.plug("c", isIn: true)
                    trial.isMended()
                    try await trial.recovers("discover", "ready", within: .seconds(10))
                    let back = try #require(trial.recovery)
                    print("LIVENESS cable cut, in a session: Open Room: lost \(lost), back \(back)")
                    #expect(lost <= .seconds(6) && back <= .seconds(4) * slowness, "lost \(lost), back \(back)")
                }
                try await home.succeed("stop", "Open Room")
            }
        }

        private static func press(
            _ home: Household, _ words: String...
        ) async throws -> (result: CommandResult, end: ContinuousClock.Instant) {
            let result = try await Command.run([Household.mdhost] + words, environment: home.environment)
            return (result, .now)
        }

        /// Requests before and after the device is known to be gone: none is lost, and no command reports success
        /// before the device has received it.
        @Test(.reports(.cableCut)) func whatIsPressedMeanwhileIsDone() async throws {
            try await Household.open { home in
                let rooms = ["Open Room", "Living Room"]
                for room in rooms { try await home.succeed("play", "--detach", room, LabMedia.flac) }
                let levelBefore = try await MusicServer.openRoom.volume()
                try await FaultTrial.run(
                    .cableCut, "and buttons are pressed", on: home,
                    playing: [Witness(.openRoom), Witness(.livingRoom)], expecting: .nothing
                ) { trial in
                    for host in ["a", "c"] { try await LabHost.plug(host, isIn: false) }
                    trial.strikes()
                    for room in rooms { trial.tells("pause", try await home.run("pause", room)) }
                    try await eventually("that it is noticed") {
                        try await home.device("Open Room").availability == "unreachable"
                    }
                    async let level = Self.press(home, "volume", "Open Room", "30")
                    async let seek = Self.press(home, "seek", "0:20", "Open Room")
                    // By the time another command has its answer, theirs have been sent.
                    _ = try await home.status()
                    let plugged = ContinuousClock.now
                    for host in ["a", "c"] { try await LabHost.plug(host, isIn: true) }
                    trial.isMended()
                    for (command, pressed) in [("volume", try await level), ("seek", try await seek)] {
                        trial.tells(command, pressed.result)
                        #expect(pressed.result.status == 0 && pressed.end > plugged, "\(command): \(pressed)")
                    }
                    for witness in [Witness(.openRoom), Witness(.livingRoom)] { try await witness.awaitState("paused") }
                    try await eventually("its place and its level") {
                        let server = MusicServer.openRoom
                        let (position, level) = (try await server.position(), try await server.volume())
                        return position >= 19 && level == 30
                    }
                    trial.hasRecovered()
                    // As it was, for the comparison.
                    try await home.succeed("volume", "Open Room", "\(levelBefore)")
                }
                for room in rooms { try await home.succeed("stop", room) }
            }
        }

        @Test func lostPacketsAreNoLoss() async throws {
            try await Household.open { home in
                let watch = try await Watch.open(home, awaiting: ["MPD Room", "Open Room"])
                try await home.succeed("play", "--detach", "Open Room", LabMedia.flac)
                let rules = """
                    table inet mdhost_loss { chain input { type filter hook input priority 0; ip saddr 10.77.0.3 \
                    numgen random mod 100 < 25 drop; ip6 saddr fd77::3 numgen random mod 100 < 25 drop; }; }
                    """
                let begun = try await Command.run(["/usr/sbin/nft", rules])
                try #require(begun.status == 0, "\(begun)")
                // There is no event to wait for: the check lasts as long as an unwanted action could take.
                let end = ContinuousClock.now + .seconds(25)
                var states: Set<String> = []
                try await eventually("the end of the bad line", within: .seconds(40)) {
                    for name in watch.names { states.formUnion(try watch.states(name)) }
                    return ContinuousClock.now > end
                }
                _ = try await Command.run(["/usr/sbin/nft", "delete table inet mdhost_loss"])
                #expect(states.isSubset(of: ["found ready", "found checking", "found remembered"]), "\(states)")
                watch.close()
                try await home.succeed("stop", "Open Room")
            }
        }

        @Test(.reports(.addressChanged)) func aDeviceInUseKeepsItsNameAtAnotherAddress() async throws {
            try await Household.open { home in
                try await home.succeed("pair", "MPD Room", input: "sesame\n")
                try await home.succeed("play", "--detach", "Open Room", LabMedia.flac)
                let before = try await home.device("Open Room")
                do {
                    try await FaultTrial.run(
                        .addressChanged, on: home, devices: ["Open Room", "MPD Room"], expecting: .nothing
                    ) { trial in
                        try await LabHost.renumber("10.77.0.33")
                        trial.strikes()
                        try await eventually("the new address", within: .seconds(20)) {
                            let device = try await home.device("Open Room")
                            return device.endpoints.contains("10.77.0.33:6601") && device.availability == "ready"
                        }
                        let after = try await home.device("Open Room")
                        #expect(after.id == before.id && after.activation == "active")
                        let witness = try await Command.run([
                            "/usr/bin/mpc", "--host", "10.77.0.33", "--port", "6601", "status",
                        ])
                        try #require(witness.output.contains("[playing]"), "\(witness)")
                        // The connection to the old address has to be given up first.
                        trial.tells("pause", try await home.run("pause", "Open Room"))
                        try await eventually("a command at the new address", within: .seconds(20)) {
                            let status = try await Command.run([
                                "/usr/bin/mpc", "--host", "10.77.0.33", "--port", "6601", "status",
                            ])
                            return status.output.contains("[paused]")
                        }
                        trial.hasRecovered()
                    }
                } catch {
                    try await LabHost.renumber("10.77.0.3")
                    throw error
                }
                try await LabHost.renumber("10.77.0.3")
                try await home.succeed("stop", "Open Room")
            }
        }
    }
}

/// `discover --watch --json`, read as it comes.
final class Watch {
    struct Change: Decodable {
        var event: String
        var device: ClientDevice
    }

    let names: [String]
    private let command: RunningCommand
    /// When the last change that was waited for was seen.
    private(set) var last = ContinuousClock.now

    private init(_ command: RunningCommand, _ names: [String]) {
        self.command = command
        self.names = names
    }

    /// - Parameter names: Devices to wait for until they are found.
    static func open(_ home: Household, awaiting names: [String]) async throws -> Watch {
        let watch = Watch(try home.start("discover", "--watch", "--json"), names)
        for name in names {
            try await eventually("\(name) is found") { try watch.states(name).last == "found ready" }
        }
        return watch
    }

    /// Every change of the device: its event and its availability.
    func states(_ name: String) throws -> [String] {
        try JSONLines.all(command.output, as: Change.self).filter { $0.device.name == name }
            .map { "\($0.event) \($0.device.availability)" }
    }

    func await(_ event: String, _ name: String, within limit: Duration) async throws {
        try await eventually("\(name) \(event)", within: limit) {
            try states(name).last?.hasPrefix(event + " ") == true
        }
        last = .now
    }

    func close() { command.send(SIGINT) }
}
