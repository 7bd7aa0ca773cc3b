import ArgumentParser
import Testing

@testable import mdhost

@Suite("Words of a command line")
struct CommandWordsTests {
    @Test(
        "negative numbers are arguments where a command takes them",
        arguments: [
            (["volume", "TV", "-5"], ["volume", "TV", "--", "-5"]),
            (["volume", "-5%", "TV", "--group"], ["volume", "TV", "--group", "--", "-5%"]),
            (["seek", "-1:30"], ["seek", "--", "-1:30"]),
            (["volume", "TV", "--", "-5"], ["volume", "TV", "--", "-5"]),
            (["now-playing", "seek", "-10"], ["now-playing", "seek", "--", "-10"]),
            (["extension", "logs", "mpd", "--lines", "-1"], ["extension", "logs", "mpd", "--lines=-1"]),
            (["volume", "TV", "+5"], ["volume", "TV", "+5"]), (["volume", "TV", "-h"], ["volume", "TV", "-h"]),
        ])
    func negative(_ words: [String], _ expected: [String]) {
        #expect(CommandWords(words).protected == expected)
    }

    @Test("the parser takes them")
    func parsed() throws {
        let volume = try #require(try MdhostCommand.command(from: ["volume", "TV", "-5", "--group"]) as? VolumeCommand)
        #expect(volume.device == "TV" && volume.level == "-5" && volume.group)
        let seek = try #require(try MdhostCommand.command(from: ["seek", "TV", "-10"]) as? SeekCommand)
        #expect(seek.position == "-10" && seek.target.device == "TV")
        let known = try #require(try MdhostCommand.command(from: ["now-playing", "volume", "-5"]) as? NowPlayingVolume)
        #expect(known.level == "-5")
    }

    @Test(
        "an unknown command is named with what may have been meant",
        arguments: [
            (["paly"], "There is no command “paly”. Did you mean “play”?"),
            (["disc"], "There is no command “disc”. Did you mean “discover”?"),
            (["frobnicate"], "There is no command “frobnicate”."),
            (["group", "jion", "A", "B"], "There is no command “group jion”. Did you mean “group join”?"),
            (["group", "foo"], "There is no command “group foo”. “group” has list, join, leave."),
            (["unmute", "TV"], "There is no command “unmute”. Did you mean “mute --off”?"),
        ])
    func unknown(_ words: [String], _ sentence: String) throws {
        let error = try #require(throws: UnknownCommand.self) { try MdhostCommand.command(from: words) }
        #expect(error.description == sentence)
        #expect(error.usage.contains("mdhost" + (words[0] == "group" ? " group" : " <subcommand>")), "\(error.usage)")
    }

    @Test("a negative value is judged as the value of its option")
    func negativeValue() throws {
        let error = try #require(throws: (any Error).self) {
            try MdhostCommand.command(from: ["discover", "--timeout", "-1"])
        }
        #expect(MdhostCommand.message(for: error).contains("--timeout takes seconds above 0"))
    }

    @Test(
        "other mistakes keep their own sentence", arguments: [["play"], ["status", "--yaml"], ["discover", "extra"]])
    func others(_ words: [String]) throws {
        let error = try #require(throws: (any Error).self) { try MdhostCommand.command(from: words) }
        #expect(!MdhostCommand.message(for: error).contains("There is no command"))
    }
}
