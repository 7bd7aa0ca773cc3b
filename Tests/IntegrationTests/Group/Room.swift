import Foundation
import HostClient
import Synchronization
import Testing

/// A reference receiver (`mdhost demo`) on another host of the LAN, and its own reports.
///
/// All hosts of the lab have one clock, so the positions of two receivers can be compared by their own reports.
final class Room: Sendable {
    /// A line of `mdhost demo --json`; numbers are texts in it.
    private struct Word: Decodable {
        var event: String
        var position, rate, time, level, sample: String?
    }

    /// The last reported playback: the position holds at that time of the common clock and moves on at the rate.
    /// Seconds.
    struct Playback: Sendable {
        var event: String
        var position: Double
        var rate: Double
        var time: Double

        /// When it would have begun at 0, had it always played.
        var beginning: Double { time - position }
    }

    static let identifier = "org.mdhost.reference"
    /// The largest allowed distance between receivers that play together, in seconds.
    static let tolerance = 0.05

    let name: String
    private let host: String
    private let folder: String
    private let command: Mutex<RunningCommand>

    private init(_ name: String, on host: String) throws {
        self.name = name
        self.host = host
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-room-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        command = Mutex(try Self.start(name, host, folder))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A household that has found two of them.
    static func withTwo(_ body: (Household, Room, Room) async throws -> Void) async throws {
        let (den, attic) = (try Room("Den", on: "a"), try Room("Attic", on: "b"))
        let result: Result<Void, any Error>
        do {
            for room in [den, attic] { try await room.isReady() }
            try await Household.open { home in
                try await eventually("both rooms") {
                    let names = Set(try await home.discover().map(\.name))
                    return names.isSuperset(of: [den.name, attic.name])
                }
                try await body(home, den, attic)
                try await home.quit()
            }
            result = .success(())
        } catch {
            result = .failure(WaitedInVain(description: "\(error)\n\(den.said)\n\(attic.said)"))
        }
        for room in [den, attic] { await room.switchOff() }
        try result.get()
    }

    private static func start(_ name: String, _ host: String, _ folder: String) throws -> RunningCommand {
        try RunningCommand([
            LabHost.script, "in", host, "env", "XDG_STATE_HOME=" + folder, Household.mdhost, "demo", "--json", "--lan",
            "--open", "--speaker", "--name", name,
        ])
    }

    private var running: RunningCommand { command.withLock { $0 } }
    private var words: [Word] { (try? JSONLines.all(running.output)) ?? [] }
    private var said: String { "\(name): \(running.output) \(running.errors)" }

    private func isReady() async throws {
        try await eventually("\(name) to be on") { words.contains { $0.event == "ready" } }
    }

    /// Something long that it serves itself.
    func film() throws -> String { try #require(words.first { $0.event == "ready" }?.sample) }

    func switchOff() async {
        running.send(SIGINT)
        _ = await running.waitForExit()
    }

    /// Starts it again: it keeps its identity but not its playback.
    func switchOn() async throws {
        let next = try Self.start(name, host, folder)
        command.withLock { $0 = next }
        try await isReady()
    }

    // MARK: Reports

    /// `nil` without playback.
    var playback: Playback? {
        let events = ["buffering", "waiting", "paused", "playing", "ended", "playback-failed"]
        guard let word = words.last(where: { events.contains($0.event) }),
            let numbers = Self.numbers(word.position, word.rate, word.time)
        else { return nil }
        return Playback(event: word.event, position: numbers[0], rate: numbers[1], time: numbers[2])
    }

    private static func numbers(_ texts: String?...) -> [Double]? {
        let numbers = texts.compactMap { $0.flatMap { Double($0) } }
        return numbers.count == texts.count ? numbers : nil
    }

    /// Every time it was told to move on: when it would have begun.
    var beginnings: [Double] {
        words.compactMap { word in
            guard let numbers = Self.numbers(word.position, word.rate, word.time), numbers[1] == 1 else { return nil }
            return numbers[2] - numbers[0]
        }
    }

    /// As on its screen.
    var level: String? { words.last { $0.event == "volume" }?.level }

    func tells(_ event: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await eventually("\(name): \(event)") { playback?.event == event || (event == "ended" && playback == nil) }
    }

    /// The receiver as a witness; playbacks are distinguished by the number of fetches.
    var witness: Witness {
        Witness(
            name: name, extension: Self.identifier,
            identity: { "\(self.words.count { $0.event == "fetching" })" },
            position: { self.playback.map { $0.position + $0.rate * (monotonicNow() - $0.time) } ?? 0 },
            state: {
                switch self.playback?.event {
                case "playing": "playing"
                case "paused", "waiting": "paused"
                default: "stopped"
                }
            })
    }
}

extension [Room] {
    /// Waits until all are playing in step by their own reports.
    ///
    /// - Returns: The largest distance between them, in seconds.
    @discardableResult
    func areInStep(within limit: Duration = .seconds(15)) async throws -> Double {
        var spread = Double.infinity
        try await eventually("\(map(\.name)) in step", within: limit) {
            let playing = compactMap(\.playback).filter { $0.rate == 1 }.map(\.beginning)
            spread = (playing.max() ?? 0) - (playing.min() ?? 0)
            return playing.count == count && spread < Room.tolerance
        }
        return spread
    }
}
