import Foundation
import Testing

/// A browser of the page, as far as HTTP goes: `curl` with a cookie of its own.
final class Browser: Sendable {
    struct Answer: Sendable {
        var status: Int
        var body: String
        var head: String

        /// The members of a JSON object in the body.
        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]) ?? [:]
        }
    }

    /// Without a slash at the end.
    let origin: String
    private let folder: String
    /// The host of the lab that it runs in; `nil` for this one.
    private let host: String?

    init(_ home: Household, origin: String, host: String? = nil) {
        self.origin = origin
        self.host = host
        folder = home.folder + "/browser-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Starts the page and enters it, as `mdhost page` does.
    static func enter(_ home: Household, with printed: String? = nil) async throws -> Browser {
        let link = if let printed { printed } else { try await home.succeed("page", "--print") }
        let parts = link.trimmingCharacters(in: .newlines).components(separatedBy: "/#enter=")
        try #require(parts.count == 2, "\(link)")
        let browser = Browser(home, origin: parts[0])
        let answer = try await browser.post("/api/enter", #"{"token":"\#(parts[1])"}"#)
        try #require(answer.status == 204, "\(answer)")
        return browser
    }

    private var jar: String { cookieFile }
    var cookieFile: String { folder + "/cookies" }

    /// Makes a request with `curl`.
    func request(_ words: [String], _ path: String) async throws -> Answer {
        let command = ["/usr/bin/curl", "-s", "-i", "-m", "30", "-b", jar, "-c", jar] + words + [origin + path]
        let result = try await Command.run(host.map { [LabHost.script, "in", $0] + command } ?? command)
        let text = result.output.replacing("\r\n", with: "\n").replacing("HTTP/1.1 100 Continue\n\n", with: "")
        let parts = text.components(separatedBy: "\n\n")
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
        return Answer(status: status, body: parts.dropFirst().joined(separator: "\n\n"), head: parts.first ?? "")
    }

    func get(_ path: String, _ fields: String...) async throws -> Answer {
        try await request(fields.flatMap { ["-H", $0] }, path)
    }

    func post(_ path: String, _ body: String, _ fields: String...) async throws -> Answer {
        let own =
            ["Content-Type: application/json"]
            + (fields.contains { $0.hasPrefix("Origin:") } ? [] : ["Origin: \(origin)"])
        return try await request((own + fields).flatMap { ["-H", $0] } + ["--data-binary", body], path)
    }

    /// Carries out a command of the page.
    func perform(_ command: String, _ arguments: [String: any Sendable] = [:]) async throws -> Answer {
        let body = String(decoding: try JSONSerialization.data(withJSONObject: arguments), as: UTF8.self)
        return try await post("/api/do/" + command, body)
    }

    /// Carries out a command that has to succeed.
    @discardableResult
    func succeed(
        _ command: String, _ arguments: [String: any Sendable] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String: Any] {
        let answer = try await perform(command, arguments)
        try #require(answer.status == 200, "\(command): \(answer)", sourceLocation: sourceLocation)
        return answer.json
    }

    /// Opens the stream of the state.
    func watch() throws -> BrowserView {
        let command = ["/usr/bin/curl", "-s", "-N", "-b", jar, origin + "/api/events"]
        return BrowserView(try RunningCommand(host.map { [LabHost.script, "in", $0] + command } ?? command))
    }
}

/// A browser's state from the stream: the snapshot with the changes.
final class BrowserView: Sendable {
    private let command: RunningCommand

    init(_ command: RunningCommand) { self.command = command }

    /// The names and values of the events so far.
    var events: [(name: String, data: [String: Any])] {
        command.output.components(separatedBy: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
            func field(_ name: String) -> String? { lines.first { $0.first == name }?.last }
            guard let event = field("event"), let text = field("data"),
                let data = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            else { return nil }
            return (event.trimmingCharacters(in: .whitespaces), data)
        }
    }

    /// The state after the last event.
    var state: [String: Any] {
        var state: [String: Any] = [:]
        let maps: Set = ["devices", "sessions", "media", "extensions", "sinks", "routes", "prompts"]
        for event in events {
            switch event.name {
            case "snapshot": state = event.data
            case "change":
                for (key, value) in event.data {
                    guard maps.contains(key), let changes = value as? [String: Any] else {
                        state[key] = value
                        continue
                    }
                    var map = state[key] as? [String: Any] ?? [:]
                    for (id, entry) in changes { map[id] = entry is NSNull ? nil : entry }
                    state[key] = map
                }
            case "offline": state["online"] = false
            default: break
            }
        }
        return state
    }

    func map(_ key: String) -> [String: [String: Any]] { state[key] as? [String: [String: Any]] ?? [:] }

    /// The device with this name that is ready.
    func device(_ name: String) async throws -> String {
        var found: String?
        try await eventually("\(name) on the page") {
            found =
                map("devices").first {
                    $0.value["name"] as? String == name && $0.value["availability"] as? String == "ready"
                }?.key
            return found != nil
        }
        return try #require(found)
    }

    func playback(_ session: String) -> [String: Any] {
        map("sessions")[session]?["playback"] as? [String: Any] ?? [:]
    }

    func plays(_ session: String, _ plays: Bool = true) async throws {
        try await eventually("the session \(session) plays: \(plays)") {
            playback(session)["isPlaying"] as? Bool == plays
        }
    }

    func close() async { await command.stop() }
    /// Returns when the server has ended the stream.
    func waitForEnd() async -> Int32 { await command.waitForExit() }
}
