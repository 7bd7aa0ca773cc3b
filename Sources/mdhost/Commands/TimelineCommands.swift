import ArgumentParser
import HostClient
import HostInterface

struct SpeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed", abstract: "Show or change the playback speed.",
        discussion: "Exit code 6: the device plays at one speed.")

    @OptionGroup var common: CommonOptions
    @Argument(help: "0.0625 to 16; 1 is normal.")
    var speed: String?
    @OptionGroup var target: SessionArgument

    mutating func validate() throws {
        // The device may come first, and be alone.
        if let word = speed, Double(word) == nil, target.device.map({ Double($0) != nil }) ?? true {
            (speed, target.device) = (target.device, word)
        }
        if let speed, Double(speed).map({ (0.0625...16).contains($0) }) != true {
            throw ValidationError("“\(speed)” isn't a speed. Use 0.0625 to 16, such as 1.5.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let session = try await connection.session(of: target.device)
            if let speed = speed.flatMap(Double.init) {
                try await connection.client.command(
                    PlaybackCommand(.setPlaybackSpeed, number: speed), session: session.path)
                if output.isJSON { try output.json(AcceptedCommand(session)) }
            } else {
                let canChange = session.playback.supports(.playbackSpeed)
                if output.isJSON {
                    struct Result: Encodable { var session: String, speed: Double, canChange: Bool }
                    try output.json(
                        Result(session: session.id, speed: session.playback.playbackSpeed, canChange: canChange))
                } else {
                    let note = canChange ? "" : "  (this device plays at one speed)"
                    output.line(SpeedText.text(session.playback.playbackSpeed) + note)
                }
            }
            await connection.close()
        }
    }
}

/// A speed as people read it: `1.5×`.
enum SpeedText {
    static func text(_ speed: Double) -> String {
        let hundredths = (speed * 100).rounded() / 100
        return (hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)") + "×"
    }
}

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Scan forward or backward, as a held button does.",
        discussion: """
            With --for it plays on by itself afterwards; otherwise until Ctrl-C. `mdhost scan off` ends what another \
            program began. Exit code 6: the device can't scan.
            """)

    enum Direction: String, ExpressibleByArgument, CaseIterable { case forward, backward, off }

    @OptionGroup var common: CommonOptions
    @Argument(help: "forward, backward, or off.")
    var direction: Direction
    @OptionGroup var target: SessionArgument

    @Option(help: "Times normal speed.")
    var speed = 8.0

    @Option(name: .customLong("for"), help: "Seconds until it plays on.")
    var seconds: Double?

    func validate() throws {
        guard (1...64).contains(speed) else { throw ValidationError("--speed takes 1 to 64.") }
        guard seconds.map({ (0...3600).contains($0) }) ?? true else { throw ValidationError("--for takes 0 to 3600.") }
    }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let session = try await connection.session(of: target.device)
            let client = connection.client
            let end = PlaybackCommand(.setMode, identifier: PlaybackState.Mode.normal.rawValue)
            if direction != .off {
                let signed = direction == .backward ? -speed : speed
                try await client.command(PlaybackCommand(.setScanSpeed, number: signed), session: session.path)
                try await client.command(
                    PlaybackCommand(.setMode, identifier: PlaybackState.Mode.scanning.rawValue), session: session.path)
                if seconds == nil, !output.isJSON { output.notice("Scanning; Ctrl-C plays on.") }
                try await connection.hold(for: seconds)
            }
            try await client.command(end, session: session.path)
            if output.isJSON { try output.json(AcceptedCommand(session)) }
            await connection.close()
        }
    }
}

struct ChaptersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chapters", abstract: "List the chapters of the current media, and move to one.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var target: SessionArgument

    @Option(help: "Number or id of the part to move to, “next” or “previous”.")
    var to: String?

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let session = try await connection.session(of: target.device)
            let chapters = ChapterList(session.playback, now: monotonicSeconds())
            if let to {
                let start = try chapters.start(of: to)
                try await connection.client.command(
                    PlaybackCommand(.seek, number: start, tolerance: 0), session: session.path)
                if output.isJSON { try output.json(AcceptedCommand(session)) }
            } else if output.isJSON {
                try output.json(chapters.chapters)
            } else if chapters.chapters.count < 2 {
                output.notice("What plays has no parts.")
            } else {
                output.table(
                    ["", "NO", "START", "LENGTH", "KIND", "ID"],
                    chapters.chapters.map { chapter in
                        [
                            Table.Cell(chapter.isCurrent ? "*" : ""), Table.Cell("\(chapter.number)"),
                            Table.Cell(ClockTime.text(chapter.start)), Table.Cell(ClockTime.text(chapter.duration)),
                            Table.Cell(chapter.kind + (chapter.mustPlay ? ", can't be skipped" : "")),
                            Table.Cell(DisplayText.clean(chapter.id ?? ""), .dim),
                        ]
                    })
            }
            await connection.close()
        }
    }
}

/// The segments of a playback as people choose among them: a value without I/O.
struct ChapterList {
    struct Chapter: Encodable {
        var number: Int
        var id: String?
        /// Seconds from the beginning of the media.
        var start: Double
        /// Seconds.
        var duration: Double
        var kind: String
        var isCurrent: Bool
        /// A Boolean value that indicates whether the part can't be skipped.
        var mustPlay: Bool
    }

    let chapters: [Chapter]
    private let origin: Double

    /// In the order of `AVPlaybackUserInterfaceTimelineSegmentType`.
    private static let kinds = [
        "content", "advertisement", "bonus", "credits", "intro", "recap", "trailer", "other",
    ]

    init(_ playback: PlaybackState, now: Double) {
        origin = playback.timeRange.start
        let position = playback.position(at: now)
        let current = playback.segments.lastIndex { $0.timeRange.start <= position }
        chapters = playback.segments.enumerated().map { [origin] index, segment in
            Chapter(
                number: index + 1, id: segment.identifier, start: segment.timeRange.start - origin,
                duration: segment.timeRange.duration,
                kind: Self.kinds.indices.contains(segment.type) ? Self.kinds[segment.type] : "other",
                isCurrent: index == current, mustPlay: segment.requiresLinearPlayback)
        }
    }

    /// Returns the beginning of a part on the timeline, in seconds.
    ///
    /// - Throws: ``HostError`` `not-supported` without parts, `invalid-argument` if the word names no part.
    func start(of word: String) throws(HostError) -> Double {
        guard chapters.count > 1 else { throw HostError(.notSupported, "What plays has no parts.") }
        let current = chapters.first(where: \.isCurrent)?.number ?? 1
        let number: Int? =
            switch word {
            case "next": current + 1
            case "previous": current - 1
            default: chapters.first { $0.id == word }?.number ?? Int(word)
            }
        guard let number, chapters.indices.contains(number - 1) else {
            throw HostError(.invalidArgument, "There is no part “\(word)”. `mdhost chapters` lists them.")
        }
        return origin + chapters[number - 1].start
    }
}
