import ArgumentParser
import HostClient
import HostInterface

struct LikeCommand: MediaSessionControl {
    static let configuration = CommandConfiguration(commandName: "like", abstract: "Mark the current item as liked.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .feedback("positive") }
}

struct DislikeCommand: MediaSessionControl {
    static let configuration = CommandConfiguration(
        commandName: "dislike", abstract: "Mark the current item as disliked.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .feedback("negative") }
}

struct NowPlayingUnrate: MediaSessionControl {
    static let configuration = CommandConfiguration(commandName: "unrate", abstract: "Take back a like or dislike.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .feedback("neutral") }
}

struct NowPlayingSpeed: MediaSessionControl {
    static let configuration = CommandConfiguration(
        commandName: "speed", abstract: "Change the playback speed.",
        discussion: "An app takes the nearest of the speeds it offers.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    @Argument(help: "1 is normal.")
    var speed: Double

    func validate() throws {
        guard (0.0625...16).contains(speed) else {
            throw ValidationError("“\(speed)” isn't a speed. Use 0.0625 to 16, such as 1.5.")
        }
    }

    var wish: MediaWish { .rate(speed) }
}

struct NowPlayingRepeat: MediaSessionControl {
    enum Mode: String, ExpressibleByArgument, CaseIterable { case off, one, all }

    static let configuration = CommandConfiguration(commandName: "repeat", abstract: "Choose what is repeated.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    @Argument(help: "off, one, or all.")
    var mode: Mode
    var wish: MediaWish { .repeating(mode.rawValue) }
}

struct NowPlayingShuffle: MediaSessionControl {
    enum Mode: String, ExpressibleByArgument, CaseIterable { case off, items, collections }

    static let configuration = CommandConfiguration(commandName: "shuffle", abstract: "Choose what is shuffled.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    @Argument(help: "off, items (such as songs), or collections (such as albums).")
    var mode: Mode
    var wish: MediaWish { .shuffling(mode.rawValue) }
}

struct NowPlayingHold: AsyncParsableCommand {
    enum Direction: String, ExpressibleByArgument, CaseIterable { case forward, backward }

    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Hold the forward or backward button.",
        discussion: "Lets it go after --for seconds, or at Ctrl-C.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption

    @Argument(help: "forward or backward.")
    var direction: Direction

    @Option(name: .customLong("for"), help: "Seconds until it is let go.")
    var seconds: Double?

    func validate() throws {
        guard seconds.map({ (0...3600).contains($0) }) ?? true else { throw ValidationError("--for takes 0 to 3600.") }
    }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let session = try connection.mediaSession(target)
            let kind = direction == .forward ? MediaControl.Kind.seekForward : .seekBackward
            try await connection.client.perform(MediaAction(kind, phase: .begin), media: session.path)
            if seconds == nil, !output.isJSON { output.notice("Holding; Ctrl-C lets go.") }
            try await connection.hold(for: seconds)
            try await connection.client.perform(MediaAction(kind, phase: .end), media: session.path)
            if output.isJSON { try output.json(DoneCommand(session: session.id)) }
            await connection.close()
        }
    }
}

extension HostConnection {
    /// Returns after so many seconds, or at Ctrl-C.
    ///
    /// - Throws: ``HostError`` `host-unavailable` if the daemon goes away.
    mutating func hold(for seconds: Double?) async throws(HostError) {
        inputs.addSignals()
        if let seconds { inputs.addDeadline(after: .seconds(seconds)) }
        while true {
            switch try await next() {
            case .interrupted, .deadline: return
            default: break
            }
        }
    }
}
