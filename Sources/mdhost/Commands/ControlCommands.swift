import ArgumentParser
import Foundation
import HostClient
import HostInterface

/// The device of a control command; without one, the only playing device.
struct SessionArgument: ParsableArguments {
    @Argument(help: "Device or session number; optional while only one plays.", completion: .deviceNames)
    var device: String?
}

/// A command that sends one request to a playing session and prints nothing on success.
protocol SessionControl: AsyncParsableCommand {
    var common: CommonOptions { get }
    var target: SessionArgument { get }
    func control(_ session: ClientSession, _ client: HostClient) async throws(HostError)
}

/// The output of a control command with `--json`.
struct AcceptedCommand: Encodable {
    var session: String
    var accepted = true

    init(_ session: ClientSession) { self.session = session.id }
}

extension SessionControl {
    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let session = try await connection.session(of: target.device)
            try await control(session, connection.client)
            if output.isJSON {
                try output.json(AcceptedCommand(session))
            }
            await connection.close()
        }
    }
}

struct PauseCommand: SessionControl {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause playback.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: SessionArgument
    func control(_ session: ClientSession, _ client: HostClient) async throws(HostError) {
        try await client.command(PlaybackCommand(.setPlaying, flag: false), session: session.path)
    }
}

struct ResumeCommand: SessionControl {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Resume playback.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: SessionArgument
    func control(_ session: ClientSession, _ client: HostClient) async throws(HostError) {
        try await client.command(PlaybackCommand(.setPlaying, flag: true), session: session.path)
    }
}

struct StopCommand: SessionControl {
    static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop playback.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: SessionArgument
    func control(_ session: ClientSession, _ client: HostClient) async throws(HostError) {
        try await client.stop(session.path)
    }
}

struct SeekCommand: SessionControl, TakesSignedNumbers {
    static let configuration = CommandConfiguration(
        commandName: "seek", abstract: "Move to a position.",
        discussion: """
            A position is seconds, m:ss or h:mm:ss; with + or - in front it is relative to the current one. The device may \
            also come first, as in other commands.
            """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "90, 1:30, +10 or -10.")
    var position: String
    @OptionGroup var target: SessionArgument

    mutating func validate() throws {
        if SeekTarget(position) == nil, let device = target.device, SeekTarget(device) != nil {
            (position, target.device) = (device, position)
        }
        guard SeekTarget(position) != nil else {
            throw ValidationError("“\(position)” isn't a position. Use 90, 1:30, +10 or -10.")
        }
    }

    func control(_ session: ClientSession, _ client: HostClient) async throws(HostError) {
        let now = session.playback.position(at: monotonicSeconds())
        guard let wanted = SeekTarget(position) else { return }
        let range = session.playback.timeRange
        if case .position(let seconds) = wanted, range.duration > 0, seconds > range.start + range.duration {
            let title = session.title.isEmpty ? "The media" : session.title
            throw HostError(.invalidArgument, "\(title) is \(ClockTime.text(range.duration)) long.")
        }
        let target = wanted.position(from: now)
        try await client.command(PlaybackCommand(.seek, number: target, tolerance: 0), session: session.path)
    }
}

/// The target of a seek as a person writes it: seconds, `m:ss` or `h:mm:ss`; with a sign, relative to the current
/// position.
enum SeekTarget: Equatable {
    /// Seconds from the beginning.
    case position(Double)
    /// Seconds from where playback is.
    case offset(Double)

    init?(_ text: String) {
        let isRelative = text.hasPrefix("+") || text.hasPrefix("-")
        guard let seconds = ClockTime.seconds(String(isRelative ? text.dropFirst() : text[...])) else { return nil }
        self = isRelative ? .offset(text.hasPrefix("-") ? -seconds : seconds) : .position(seconds)
    }

    /// Seconds from the beginning, never below 0.
    func position(from now: Double) -> Double {
        switch self {
        case .position(let seconds): seconds
        case .offset(let seconds): max(0, now + seconds)
        }
    }
}
