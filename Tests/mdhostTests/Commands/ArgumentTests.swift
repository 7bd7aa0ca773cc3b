import ArgumentParser
import HostInterface
import Logging
import Testing

@testable import mdhost

@Suite("Arguments of every command")
struct ArgumentTests {
    private func parse<Command: ParsableCommand>(_ arguments: String..., as: Command.Type) throws -> Command {
        try #require(try MdhostCommand.parseAsRoot(arguments) as? Command)
    }

    @Test("discover and devices")
    func discover() throws {
        let plain = try parse("discover", as: DiscoverCommand.self)
        #expect(!plain.watch && plain.timeout == 15 && !plain.common.json)
        let full = try parse("discover", "--watch", "--json", "--timeout", "2.5", as: DiscoverCommand.self)
        #expect(full.watch && full.common.json && full.timeout == 2.5)
        #expect(try parse("devices", "--json", as: DevicesCommand.self).common.json)
    }

    @Test("pair and forget")
    func pair() throws {
        #expect(try parse("pair", "Living Room", as: PairCommand.self).device == "Living Room")
        #expect(try parse("forget", "Living Room", as: ForgetCommand.self).device == "Living Room")
    }

    @Test("play")
    func play() throws {
        let command = try parse(
            "play", "TV", "film.mp4", "--detach", "--from", "1:30", "--title", "T", "--artist", "A", "--content-type",
            "video/mp4", as: PlayCommand.self)
        #expect(command.device == "TV" && command.media == "film.mp4" && command.detach && command.from == "1:30")
        #expect(command.title == "T" && command.artist == "A" && command.contentType == "video/mp4")
    }

    @Test("devices that are one, and by which way")
    func merge() throws {
        let merge = try parse("device", "merge", "TV", "Box", "Third", "--json", as: DeviceCommand.Merge.self)
        #expect(merge.devices == ["TV", "Box", "Third"] && merge.common.json)
        #expect(try parse("device", "split", "TV", as: DeviceCommand.Split.self).device == "TV")
        #expect(try parse("play", "TV", "a.mp3", as: PlayCommand.self).via == nil)
        #expect(try parse("play", "TV", "a.mp3", "--via", "MPD", as: PlayCommand.self).via == "MPD")
        #expect(try parse("pair", "TV", "--via", "MPD", as: PairCommand.self).via == "MPD")
        let same = try parse("demo", "--same", "upnp:abcd", "--same", "mac:0011223344aa", as: DemoCommand.self)
        #expect(same.same == ["upnp:abcd", "mac:0011223344aa"])
    }

    @Test("controls of a session, with and without a device")
    func controls() throws {
        #expect(try parse("pause", as: PauseCommand.self).target.device == nil)
        #expect(try parse("resume", "TV", as: ResumeCommand.self).target.device == "TV")
        #expect(try parse("stop", "TV", "--json", as: StopCommand.self).common.json)
        let seek = try parse("seek", "1:30", "TV", as: SeekCommand.self)
        #expect(seek.position == "1:30" && seek.target.device == "TV")
        let deviceFirst = try parse("seek", "TV", "1:30", as: SeekCommand.self)
        #expect(deviceFirst.position == "1:30" && deviceFirst.target.device == "TV")
        #expect(try parse("seek", "+10", as: SeekCommand.self).position == "+10")
        #expect(try parse("seek", "--", "-10", as: SeekCommand.self).position == "-10")
    }

    @Test("what plays")
    func nowPlaying() throws {
        let plain = try parse("now-playing", as: NowPlayingStatus.self)
        #expect(!plain.follow && !plain.common.json && plain.target.name == nil)
        #expect(try parse("now-playing", "--follow", "--json", as: NowPlayingStatus.self).follow)
        #expect(try parse("now-playing", "pause", "--session", "TV", as: NowPlayingPause.self).target.name == "TV")
        let seek = try parse("now-playing", "seek", "--", "-10", as: NowPlayingSeek.self)
        #expect(seek.wish == .offset(-10))
        #expect(try parse("now-playing", "seek", "1:30", as: NowPlayingSeek.self).wish == .position(90))
        #expect(throws: (any Error).self) { try MdhostCommand.parseAsRoot(["now-playing", "seek", "soon"]) }
        #expect(throws: (any Error).self) { try MdhostCommand.parseAsRoot(["now-playing", "volume", "loud"]) }
        let settings = try parse("now-playing", "settings", "--no-pause-others", as: NowPlayingSettings.self)
        #expect(settings.pauseOthers == false)
        #expect(try parse("now-playing", "settings", as: NowPlayingSettings.self).pauseOthers == nil)
    }

    @Test("volume and mute")
    func volume() throws {
        #expect(try parse("volume", "TV", as: VolumeCommand.self).level == nil)
        #expect(try parse("volume", "TV", "40%", as: VolumeCommand.self).level == "40%")
        #expect(try parse("volume", "TV", "--", "-5", as: VolumeCommand.self).level == "-5")
        #expect(try parse("mute", "TV", "--off", as: MuteCommand.self).off)
    }

    @Test("groups")
    func groups() throws {
        let play = try parse("play", "TV", "--with", "Bath", "--with", "Attic", "film.mp4", as: PlayCommand.self)
        #expect(play.device == "TV" && play.with == ["Bath", "Attic"] && play.media == "film.mp4")
        _ = try parse("group", as: GroupCommand.List.self)
        #expect(try parse("group", "list", "--json", as: GroupCommand.List.self).common.json)
        let join = try parse("group", "join", "Bath", "TV", as: GroupCommand.Join.self)
        #expect(join.device == "Bath" && join.other == "TV")
        #expect(try parse("group", "leave", "TV", as: GroupCommand.Leave.self).device == "TV")
        let volume = try parse("volume", "TV", "40", "--group", as: VolumeCommand.self)
        #expect(volume.group && volume.level == "40")
        #expect(try parse("mute", "TV", "--group", as: MuteCommand.self).group)
    }

    @Test("route")
    func route() throws {
        let plain = try parse("route", "TV", as: RouteCommand.self)
        #expect(plain.device == "TV" && plain.app == nil && !plain.off)
        let full = try parse("route", "TV", "--app", "com.example.app", "--off", as: RouteCommand.self)
        #expect(full.app == "com.example.app" && full.off)
    }

    @Test("status, sessions, extension and completion")
    func system() throws {
        #expect(try parse("status", as: StatusCommand.self).device == nil)
        #expect(try parse("status", "TV", as: StatusCommand.self).device == "TV")
        #expect(try parse("sessions", "--json", as: SessionsCommand.self).common.json)
        _ = try parse("extension", as: ExtensionCommand.List.self)
        #expect(try parse("extension", "list", "--json", as: ExtensionCommand.List.self).common.json)
        #expect(try parse("completion", "fish", as: CompletionCommand.self).shell == .fish)
    }

    @Test("extension and what to do with several")
    func extensions() throws {
        #expect(try parse("extension", "info", "mpd", as: ExtensionCommand.Info.self).name == "mpd")
        #expect(
            try parse("extension", "enable", "mpd", "dlna", as: ExtensionCommand.Enable.self).extensions.names
                == ["mpd", "dlna"])
        let disable = try parse("extension", "disable", "mpd", "--json", as: ExtensionCommand.Disable.self)
        #expect(disable.extensions.names == ["mpd"] && disable.common.json)
        #expect(try parse("extension", "reload", "m", as: ExtensionCommand.Reload.self).extensions.names == ["m"])
    }

    @Test("logs of an extension")
    func logs() throws {
        let plain = try parse("extension", "logs", "mpd", as: ExtensionCommand.Logs.self)
        #expect(plain.name == "mpd" && !plain.follow && plain.lines == 50)
        let full = try parse("extension", "logs", "mpd", "-f", "--lines", "0", as: ExtensionCommand.Logs.self)
        #expect(full.follow && full.lines == 0)
    }

    @Test("daemon")
    func daemon() throws {
        let plain = try parse("daemon", as: DaemonCommand.self)
        #expect(!plain.onDemand && plain.sessionBus && plain.logLevel == .info && !plain.quit)
        #expect(plain.readyDescriptor == nil)
        let full = try parse(
            "daemon", "--on-demand", "--no-session-bus", "--log-level", "debug", "--ready-descriptor", "3",
            as: DaemonCommand.self)
        #expect(full.onDemand && !full.sessionBus && full.logLevel == .debug && full.readyDescriptor == 3)
        let behind = try parse("daemon", "--replace", "--background", as: DaemonCommand.self)
        #expect(behind.replace && behind.background)
    }

    @Test(
        "what is wrong ends with the exit code of usage and a sentence",
        arguments: [
            (["frobnicate"], "frobnicate"), (["discover", "--timeout", "0"], "--timeout"),
            (["discover", "--timeout", "nan"], "--timeout"), (["discover", "--timeout", "soon"], "soon"),
            (["discover", "extra"], "extra"), (["play"], "device"), (["play", "TV"], "media"),
            (["play", "TV", "a.mp3", "--from", "1:99"], "1:99"), (["pair"], "device"), (["seek", "x"], "“x”"),
            (["seek", "++10"], "“++10”"), (["seek"], "position"), (["volume", "TV", "101"], "“101”"),
            (["volume", "TV", "loud"], "“loud”"), (["volume"], "device"), (["mute"], "device"), (["route"], "device"),
            (["completion", "tcsh"], "tcsh"), (["daemon", "--log-level", "chatty"], "chatty"),
            (["daemon", "--background", "--quit"], "--background"),
            (["status", "--yaml"], "--yaml"), (["extension", "frob"], "frob"),
            (["device", "merge"], "devices"), (["device", "merge", "TV"], "at least two"),
            (["device", "split"], "device"), (["demo", "--same", "ip:10.0.0.5"], "ip:10.0.0.5"),
            (["extension", "reload"], "name"), (["extension", "info"], "name"),
            (["extension", "logs", "mpd", "--lines", "-1"], "--lines"),
        ])
    func errors(_ arguments: [String], _ word: String) throws {
        let error = try #require(throws: (any Error).self) { try MdhostCommand.parseAsRoot(arguments) }
        #expect(MdhostCommand.exitCode(for: error) == ExitStatus.usage)
        #expect(MdhostCommand.fullMessage(for: error).contains(word))
    }

    @Test(
        "help of every command names it",
        arguments: ["discover", "play", "volume", "daemon", "completion", "extension"])
    func help(_ name: String) throws {
        let error = try #require(throws: (any Error).self) {
            // Help is asked for by an error of its own, or by a command that prints it.
            var command = try MdhostCommand.parseAsRoot([name, "--help"])
            try command.run()
        }
        #expect(MdhostCommand.exitCode(for: error) == .success)
        #expect(MdhostCommand.fullMessage(for: error).contains("mdhost \(name)"))
    }

    @Test("completion scripts of every shell know every command", arguments: CompletionCommand.Shell.allCases)
    func completion(_ shell: CompletionCommand.Shell) {
        let kind: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        let script = MdhostCommand.completionScript(for: kind)
        for name in ["discover", "play", "volume", "extension", "completion"] { #expect(script.contains(name)) }
    }
}
