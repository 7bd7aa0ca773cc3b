import Foundation
import HostClient
import Testing

/// A simulated Google Cast device in host c of the lab, and another sender, pychromecast.
final class CastDevice: Sendable {
    struct Event: Decodable {
        var event: String
        var app, url, contentType, streamType, title, state, text, sample: String?
        var status, from, bytes, played, lost, dropped: Int?
        var position, level, due: Double?
        var isMuted: Bool?
        var tracks: [Int]?
    }

    struct State: Decodable {
        var app: String?
        var volume: Double
        var isMuted: Bool
        var state: String
        var position: Double
        var duration: Double?
    }

    /// Tests that need the other sender are skipped without it.
    static let hasOtherSender = FileManager.default.fileExists(
        atPath: "/usr/lib/python3/dist-packages/pychromecast/__init__.py")

    static let clip = "http://10.77.0.4:8099/clip.mp4"

    let name: String
    private let command: RunningCommand

    private init(_ name: String, _ command: RunningCommand) {
        self.name = name
        self.command = command
    }

    /// Runs a simulated device for as long as `body` takes.
    static func run(
        named name: String, _ arguments: String..., in home: Household, _ body: (CastDevice) async throws -> Void
    ) async throws {
        try await run(named: name, arguments, in: home, body)
    }

    static func run(
        named name: String, _ arguments: [String], in home: Household, _ body: (CastDevice) async throws -> Void
    ) async throws {
        let program = PrivateDaemon.programs + "/mdhost-demo-cast"
        let device = CastDevice(
            name,
            try RunningCommand([LabHost.script, "in", "c", program, "--name", name] + arguments))
        let result: Result<Void, any Error>
        do {
            try await device.tells("its start") { $0.event == "ready" }
            result = .success(try await body(device))
        } catch {
            Attachment.record(Array((device.command.output + device.command.errors).utf8), named: "cast-receiver.log")
            result = .failure(error)
        }
        await device.command.stop()
        try result.get()
    }

    var events: [Event] { (try? JSONLines.all(command.output)) ?? [] }

    /// Waits for an event, including earlier ones.
    func tells(
        _ what: String, within limit: Duration = .seconds(15), _ fits: @escaping (Event) -> Bool
    ) async throws {
        do {
            try await eventually("\(name): \(what)", within: limit) { events.contains(where: fits) }
        } catch {
            throw WaitedInVain(description: "\(error); its events: \(command.output) \(command.errors)")
        }
    }

    /// Waits for a state of playback, which is the latest.
    func plays(_ state: String, at position: Double? = nil) async throws {
        do {
            try await eventually("\(name): \(state)") {
                guard let last = events.last(where: { $0.event == "playback" }), last.state == state else {
                    return false
                }
                return position.map { abs((last.position ?? -1) - $0) < 0.6 } ?? true
            }
        } catch {
            throw WaitedInVain(description: "\(error); its events: \(command.output) \(command.errors)")
        }
    }

    /// Another sender does one thing with the device.
    @discardableResult
    func otherSender(_ words: String...) async throws -> State {
        let script = LabHost.tool("cast-sender")
        let result = try await Command.run([script, name] + words, within: .seconds(40))
        try #require(result.status == 0, "\(words): \(result)")
        return try JSONLines.one(result.output)
    }
}
