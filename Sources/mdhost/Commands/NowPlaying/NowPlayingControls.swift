import ArgumentParser
import HostInterface

struct NowPlayingPlay: MediaSessionControl {
    static let configuration = CommandConfiguration(commandName: "play", abstract: "Play or resume.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .play }
}

struct NowPlayingPause: MediaSessionControl {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .pause }
}

struct NowPlayingToggle: MediaSessionControl {
    static let configuration = CommandConfiguration(
        commandName: "toggle", abstract: "Switch between playing and paused.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .playPause }
}

struct NowPlayingStop: MediaSessionControl {
    static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .stop }
}

struct NowPlayingNext: MediaSessionControl {
    static let configuration = CommandConfiguration(commandName: "next", abstract: "Go to the next item.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .next }
}

struct NowPlayingPrevious: MediaSessionControl {
    static let configuration = CommandConfiguration(commandName: "previous", abstract: "Go to the previous item.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    var wish: MediaWish { .previous }
}

struct NowPlayingSeek: MediaSessionControl, TakesSignedNumbers {
    static let configuration = CommandConfiguration(
        commandName: "seek", abstract: "Move to a position.",
        discussion: """
            A position is seconds, m:ss or h:mm:ss; with + or - in front it is relative to the current one.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption
    @Argument(help: "90, 1:30, +10 or -10.")
    var position: String

    func validate() throws {
        guard SeekTarget(position) != nil else {
            throw ValidationError("“\(position)” isn't a position. Use 90, 1:30, +10 or -10.")
        }
    }

    var wish: MediaWish {
        switch SeekTarget(position) {
        case .position(let seconds): .position(seconds)
        case .offset(let seconds): .offset(seconds)
        case nil: .position(0)
        }
    }
}
