import Foundation
import HostClient
import HostInterface
import Testing

/// Kodi, seen by its own JSON-RPC.
struct Screen: Sendable {
    static let kodi = Screen(name: "Kodi Room", address: "10.77.0.3")

    /// The password of its web server, if it has one.
    static let password = "s3cret"

    let name: String
    private let address: String

    /// A household that sees it by one protocol, as it has the same name in each.
    func seenOnly(by kept: String, _ body: (Household) async throws -> Void) async throws {
        try await Household.open { home in
            let other = kept == "AirPlay" ? "Kodi" : "AirPlay"
            try await home.succeed("extension", "disable", other)
            try await body(home)
        }
    }

    /// The same story by each of its protocols: a file of this machine plays to its end.
    func playsAFileToItsEnd(seenBy kept: String) async throws {
        try await seenOnly(by: kept) { home in
            let file = home.folder + "/Ein Film & mehr.mp3"
            try await LabMedia.make(file, frequency: 700, seconds: 5)
            let result = try await home.run("play", name, file, "--json", within: .seconds(30))
            #expect(result.status == 0, "\(result)\n\(home.log)")
            let states = try JSONLines.all(result.output, as: ClientSession.self)
            #expect(states.last?.state == "ended" && states.contains { $0.playback.isPlaying }, "\(result)")
            #expect(states.contains { abs($0.playback.timeRange.duration - 5) < 0.5 })
            try await home.quit()
        }
    }

    struct Time: Decodable {
        var hours: Double
        var minutes: Double
        var seconds: Double
        var milliseconds: Double

        var total: Double { hours * 3600 + minutes * 60 + seconds + milliseconds / 1000 }
    }

    /// Its current playback.
    struct Playback: Decodable {
        var time: Time
        var totaltime: Time
        /// 0 while it pauses.
        var speed: Int
    }

    private struct Answer<Result: Decodable>: Decodable {
        var result: Result?
    }

    private struct Player: Decodable {
        var playerid: Int
    }

    /// It is a desktop program, which needs more than all the others together: it is there for the tests that use it.
    struct IsThere: SuiteTrait, TestTrait, TestScoping {
        /// `http`: its JSON-RPC is there through its web server alone, with ``Screen/password``.
        var mode = "start"

        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            let started = try await Command.run([LabHost.script, "receivers", "kodi", mode], within: .seconds(90))
            try #require(started.status == 0, "\(started)")
            let result: Result<Void, any Error>
            do {
                result = .success(try await function())
            } catch {
                result = .failure(error)
            }
            let stopped = try await Command.run([LabHost.script, "receivers", "kodi", "stop"], within: .seconds(30))
            #expect(stopped.status == 0, "\(stopped)")
            try result.get()
        }
    }

    /// `nil` without playback.
    func playback() async throws -> Playback? {
        guard let player = try await player() else { return nil }
        return try await ask(
            "Player.GetProperties", #"{"playerid":\#(player),"properties":["time","totaltime","speed"]}"#)
    }

    /// Presses pause on its remote control.
    func pressPause() async throws {
        let player = try #require(try await player())
        struct Speed: Decodable { var speed: Int }
        let speed: Speed? = try await ask("Player.PlayPause", #"{"playerid":\#(player)}"#)
        _ = try #require(speed)
    }

    /// A second client does this: Kodi's own event client, which shares no code with the extension.
    ///
    /// - Parameter action: One of Kodi's built-in functions, such as `PlayerControl(Stop)`.
    func obey(_ action: String) async throws {
        let sent = try await Command.run(["/usr/bin/kodi-send", "--host=\(address)", "--action=\(action)"])
        #expect(sent.status == 0, "\(sent)")
    }

    func isMuted() async throws -> Bool? {
        struct Properties: Decodable { var muted: Bool }
        let properties: Properties? = try await ask("Application.GetProperties", #"{"properties":["muted"]}"#)
        return properties?.muted
    }

    /// The number of the audio track that plays.
    func audioTrack() async throws -> Int? {
        struct Track: Decodable { var index: Int }
        struct Properties: Decodable { var currentaudiostream: Track }
        guard let player = try await player() else { return nil }
        let properties: Properties? = try await ask(
            "Player.GetProperties", #"{"playerid":\#(player),"properties":["currentaudiostream"]}"#)
        return properties?.currentaudiostream.index
    }

    /// `0...100`
    func volume() async throws -> Int? {
        struct Properties: Decodable { var volume: Int }
        let properties: Properties? = try await ask("Application.GetProperties", #"{"properties":["volume"]}"#)
        return properties?.volume
    }

    private func player() async throws -> Int? {
        let players: [Player]? = try await ask("Player.GetActivePlayers", "{}")
        return players?.first?.playerid
    }

    private func ask<Result: Decodable>(_ method: String, _ parameters: String) async throws -> Result? {
        let result = try await Command.run([
            "/usr/bin/curl", "--silent", "--max-time", "5", "--header", "Content-Type: application/json",
            "--user", "kodi:\(Self.password)", "--data",
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#,
            "http://\(address):8080/jsonrpc",
        ])
        return try? JSONDecoder().decode(Answer<Result>.self, from: Data(result.output.utf8)).result
    }
}
