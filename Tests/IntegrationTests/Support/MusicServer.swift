import Foundation
import Testing

/// An MPD asked by `mpc`: an independent witness and a second controller.
struct MusicServer: Sendable {
    let name: String
    private let port: Int
    private let password: String?

    static let openRoom = MusicServer(name: "Open Room", port: 6601, password: nil)
    static let lockedRoom = MusicServer(name: "MPD Room", port: 6600, password: "sesame")

    @discardableResult
    func mpc(_ words: String...) async throws -> String {
        let host = (password.map { $0 + "@" } ?? "") + "10.77.0.3"
        // Not as an argument, which anyone may read.
        let result = try await Command.run(
            ["/usr/bin/mpc"] + words, environment: ["MPD_HOST": host, "MPD_PORT": "\(port)"])
        try #require(result.status == 0, "mpc \(words): \(result)")
        return result.output
    }

    /// The server's process, by the settings it was started with.
    func process() throws -> Int32 {
        let settings = Data((LabHost.folder + (password == nil ? "/c/mpd-open/" : "/c/mpd/") + "mpd.conf").utf8)
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init)
        return try #require(
            processes.first { process in
                let arguments = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
                return arguments.starts(with: Data("mpd\u{0}".utf8)) && arguments.range(of: settings) != nil
            })
    }

    /// `playing`, `paused` or `stopped`.
    func state() async throws -> String {
        // Not by its format: that calls a stopped one paused.
        let text = try await mpc("status")
        return text.contains("[playing]") ? "playing" : text.contains("[paused]") ? "paused" : "stopped"
    }

    /// Whole seconds.
    func position() async throws -> Double {
        let text = try await mpc("status", "%currenttime%").trimmingCharacters(in: .whitespacesAndNewlines)
        return text.split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? 0) }
    }

    /// 0…100.
    func volume() async throws -> Int {
        try #require(Int(try await mpc("status", "%volume%").filter(\.isNumber)))
    }

    /// The title and the artist that it shows to its clients.
    func shown() async throws -> String {
        try await mpc("--format", "%title%/%artist%", "current").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func address() async throws -> String {
        try await mpc("--format", "%file%", "current").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The server's number for the song that is current; empty for none.
    func song() async throws -> String {
        try await mpc("--format", "%id%", "current").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func awaitState(_ wanted: String, within limit: Duration = .seconds(10)) async throws {
        try await eventually("\(name): \(wanted)", within: limit) { try await state() == wanted }
    }
}
