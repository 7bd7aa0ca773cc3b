import Foundation
import Testing

/// Kodi as an AirPlay screen, seen by its own JSON-RPC.
struct Screen: Sendable {
    static let kodi = Screen(name: "Kodi Room", address: "10.77.0.3")

    let name: String
    private let address: String

    struct Time: Decodable {
        var hours: Double
        var minutes: Double
        var seconds: Double
        var milliseconds: Double

        var total: Double { hours * 3600 + minutes * 60 + seconds + milliseconds / 1000 }
    }

    /// What it plays.
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
    struct IsThere: SuiteTrait, TestScoping {
        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            let started = try await Command.run([LabHost.script, "receivers", "kodi"], within: .seconds(90))
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

    /// `nil` where nothing plays.
    func playback() async throws -> Playback? {
        guard let player = try await player() else { return nil }
        return try await ask(
            "Player.GetProperties", #"{"playerid":\#(player),"properties":["time","totaltime","speed"]}"#)
    }

    /// Somebody presses pause on its remote control.
    func pressPause() async throws {
        let player = try #require(try await player())
        struct Speed: Decodable { var speed: Int }
        let speed: Speed? = try await ask("Player.PlayPause", #"{"playerid":\#(player)}"#)
        _ = try #require(speed)
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
            "/usr/bin/curl", "--silent", "--max-time", "5", "--header", "Content-Type: application/json", "--data",
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#,
            "http://\(address):8080/jsonrpc",
        ])
        return try? JSONDecoder().decode(Answer<Result>.self, from: Data(result.output.utf8)).result
    }
}
