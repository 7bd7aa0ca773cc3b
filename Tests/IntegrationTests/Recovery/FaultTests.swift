import Foundation
import HostClient
import Testing

extension Product {
    /// The daemon is killed at many random points of discovery, pairing and playback: the state it acknowledged before
    /// holds afterwards.
    @Suite struct FaultTests {
        @Test(.reports(.daemonKilled)) func nothingAcknowledgedIsLostWhereverTheDaemonIsKilled() async throws {
            let (rounds, seed) = (FaultPlan.rounds, FaultPlan.seed)
            var chance = Chance(state: seed)
            let start = ContinuousClock.now
            try await Household.open { home in
                var cycle = try await Cycle(home)
                var killed = 0
                var hung = 0
                var during: [String: Int] = [:]
                while killed < rounds, killed < rounds / 4 || ContinuousClock.now - start < FaultPlan.limit {
                    let moment = Duration.milliseconds(chance.next(below: 900))
                    let daemon = try #require(home.daemon)
                    let killer = Task {
                        try await Task.sleep(for: moment)
                        kill(daemon, SIGKILL)
                    }
                    let interrupted = try await cycle.run(daemon, until: killer, &chance)
                    during[interrupted, default: 0] += 1
                    killed += 1
                    let complaints: [String]
                    do { complaints = try await cycle.complaintsAfterRestart() } catch {
                        guard hung < rounds / 20, try await RealReceivers.replaceHanging() else { throw error }
                        // The receiver lost its playback by its own fault; the daemon must cope with it all the same.
                        hung += 1
                        print("kill \(killed) of seed \(seed): gmediarender hung and was started afresh")
                        cycle.forgetPlayback(on: "Living Room")
                        complaints = try await cycle.complaintsAfterRestart()
                    }
                    try #require(
                        complaints.isEmpty, "kill \(killed) of seed \(seed), during \(interrupted): \(complaints)")
                }
                let list = during.sorted { $0.key < $1.key }.map { "\($0.value) during \($0.key)" }
                print(
                    "\(killed) kills in \(ContinuousClock.now - start), seed \(seed): \(list.joined(separator: ", "))")
                for name in ["Living Room", "Open Room", "MPD Room"] { _ = try await home.run("stop", name) }
                try await home.quit()
            }
        }
    }
}

/// A person's cycle of commands, and their answers.
private struct Cycle {
    private enum Step: CaseIterable {
        case discover, pair, playFile, playAddress, playLocked, pause, stop, forget
    }

    /// Looking around takes so long that most kills would fall into it.
    private static let steps =
        Step.allCases + Step.allCases.filter { $0 != .discover } + [.playFile, .playAddress, .stop]
    private static let locked = "MPD Room"
    private let home: Household
    private let file: String
    private var ledger = Ledger()
    /// The error of the command in progress, if it failed.
    private var told: FaultReport.Remark?

    init(_ home: Household) async throws {
        self.home = home
        file = home.folder + "/tone.wav"
        try await LabMedia.make(file, frequency: 440, seconds: 60)
        _ = try await home.discover()
    }

    /// Performs one action after the other until the daemon is killed.
    ///
    /// - Returns: The action in progress then.
    mutating func run(
        _ victim: Int32, until killer: Task<Void, any Error>, _ chance: inout Chance
    ) async throws -> String {
        var step = Step.pair
        told = nil
        repeat {
            step = ledger.isPaired == false ? .pair : Self.steps[chance.next(below: Self.steps.count)]
            try await perform(step)
        } while home.daemon == victim && kill(victim, 0) == 0
        try await killer.value
        return "\(step)"
    }

    private mutating func perform(_ step: Step) async throws {
        switch step {
        case .discover: try await perform("discover", "--json")
        case .pair: await change(\.isPaired, to: true, by: "pair", Self.locked, "--json")
        case .forget:
            // Forgetting lets the device go as well.
            ledger.playbacks[Self.locked] = .some(nil)
            await change(\.isPaired, to: false, by: "forget", Self.locked, "--json")
        case .playFile: await play("Living Room", file)
        case .playAddress: await play("Open Room", LabMedia.mp3)
        case .playLocked: await play(Self.locked, LabMedia.flac)
        case .pause: try await perform("pause", "Living Room")
        case .stop:
            ledger.playbacks["Open Room"] = .some(nil)
            if try await perform("stop", "Open Room").status == 0 { ledger.playbacks["Open Room"] = .stopped }
        }
    }

    private mutating func change<Value>(
        _ fact: WritableKeyPath<Ledger, Value?>, to value: Value, by words: String...
    ) async {
        ledger[keyPath: fact] = nil
        if (try? await perform(words))?.status == 0 { ledger[keyPath: fact] = value }
    }

    @discardableResult
    private mutating func perform(_ words: String...) async throws -> CommandResult { try await perform(words) }

    private mutating func perform(_ words: [String]) async throws -> CommandResult {
        let result = try await Command.run(
            [Household.mdhost] + words, environment: home.environment, input: "sesame\n")
        if result.status != 0 {
            let first = result.errors.split(separator: "\n").first.map(String.init) ?? ""
            let error = try? JSONLines.one(first + "\n", as: PrintedError.self).error
            let words = (error?.message ?? first).replacing(home.folder, with: "…")
            told = .init(place: "the command under way", text: "exit \(result.status), “\(words)”")
        }
        return result
    }

    private mutating func play(_ device: String, _ media: String) async {
        ledger.playbacks[device] = .some(nil)
        // Playing may ask for the password, and then pairs.
        if device == Self.locked, ledger.isPaired != true { ledger.isPaired = nil }
        let result = try? await perform("play", device, media, "--detach", "--json")
        guard let result, result.status == 0,
            let session = try? JSONLines.one(result.output, as: ClientSession.self)
        else { return }
        ledger.playbacks[device] = .plays(session.id)
        if device == Self.locked { ledger.isPaired = true }
    }

    mutating func forgetPlayback(on name: String) { ledger.playbacks[name] = .some(nil) }

    /// Starts the next daemon, compares, and reports.
    func complaintsAfterRestart() async throws -> [String] {
        var report = FaultReport(fault: .daemonKilled, circumstance: "at a random moment", recovery: .zero)
        report.seen = [told].compactMap { $0 }
        let start = ContinuousClock.now
        let first = try await home.status()
        report.seen += first.sessions.map { .init(place: "sessions", text: $0.state) }
        var complaints: [String] = []
        for (name, playback) in ledger.playbacks {
            guard case .plays(let id) = playback, try await isPlaying(name) else { continue }
            if !first.sessions.contains(where: { $0.id == id }) {
                complaints.append("\(name): session \(id) is not in the first look")
            }
        }
        var last = first
        try await eventually("everything is taken up or over", within: .seconds(30)) {
            last = try await home.status()
            return last.sessions.allSatisfy { $0.state != "reconnecting" }
        }
        report.recovery = .now - start
        report.seen += last.sessions.map { .init(place: "sessions", text: $0.state) }
        var plays: [String: Bool] = [:]
        for name in ledger.playbacks.keys { plays[name] = try await isPlaying(name) }
        // An end at this very moment is reported a moment later.
        let listed = try await home.status()
        let locked = try await home.device(Self.locked)
        complaints += ledger.complaints(
            isPaired: locked.isPaired, devices: listed.devices, sessions: listed.sessions, plays: plays)
        complaints += try leftovers(listed)
        report.lost = complaints
        FaultMatrix.report(report)
        return complaints
    }

    private func isPlaying(_ name: String) async throws -> Bool {
        switch name {
        case "Living Room": try await Witness(.livingRoom).state() != "stopped"
        case "Open Room": try await Witness(.openRoom).state() != "stopped"
        default: try await Witness(.lockedRoom).state() != "stopped"
        }
    }

    /// Returns leftovers that no daemon needs, and the problems in the state file.
    private func leftovers(_ status: Household.Status) throws -> [String] {
        var complaints: [String] = []
        let known = Set([status.daemon.processID] + status.extensions.compactMap(\.processID))
        let strangers = home.processes.map(Int.init).filter { !known.contains($0) }
        // A process may have been started, or have ended, since it was asked.
        let names = strangers.compactMap { try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8) }
        if names.contains(where: { $0.hasPrefix("mdhost\n") }) { complaints.append("a daemon too many: \(strangers)") }
        let runtime = try FileManager.default.contentsOfDirectory(atPath: home.folder + "/run").sorted()
        if runtime != ["lock", "socket"] { complaints.append("in the runtime folder: \(runtime)") }
        let state = try FileManager.default.contentsOfDirectory(atPath: home.folder + "/state/mdhost")
        if state.contains(where: { $0.contains("corrupt") || $0.contains("newer") }) {
            complaints.append("the database was set aside: \(state)")
        }
        if ["cannot be stored", "cannot be used", "Couldn't save"].contains(where: { home.log.contains($0) }) {
            complaints.append("the log tells of a storage failure")
        }
        return complaints
    }
}

/// Numbers that are the same again for the same seed (SplitMix64).
struct Chance {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }
}
