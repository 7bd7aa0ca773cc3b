import Foundation
import Testing

/// A receiver seen from outside, with any protocol: its media and position.
struct Witness: Sendable {
    let name: String
    let `extension`: String
    /// The identity of a playback: the address, or the song's number.
    let identity: @Sendable () async throws -> String
    /// Seconds.
    let position: @Sendable () async throws -> Double
    /// `playing`, `paused` or `stopped`.
    let state: @Sendable () async throws -> String

    init(
        name: String, `extension`: String, identity: @escaping @Sendable () async throws -> String,
        position: @escaping @Sendable () async throws -> Double, state: @escaping @Sendable () async throws -> String
    ) {
        self.name = name
        self.extension = `extension`
        self.identity = identity
        self.position = position
        self.state = state
    }

    init(_ renderer: Renderer) {
        name = renderer.name
        `extension` = "org.mdhost.dlna"
        identity = { try await renderer.address() }
        position = { try await renderer.position() }
        state = {
            switch try await renderer.state() {
            case "PLAYING", "TRANSITIONING": "playing"
            case "PAUSED_PLAYBACK": "paused"
            default: "stopped"
            }
        }
    }

    init(_ server: MusicServer) {
        name = server.name
        `extension` = "org.mdhost.mpd"
        identity = { try await server.song() }
        position = { try await server.position() }
        state = { try await server.state() }
    }

    static func all() async throws -> [Witness] {
        [Witness(.livingRoom), Witness(try await .rygel()), Witness(.openRoom), Witness(.lockedRoom)]
    }

    func awaitState(_ wanted: String) async throws {
        try await eventually("\(name): \(wanted)") { try await state() == wanted }
    }

    /// Runs `disturbance` during playback, and checks that the playback wasn't affected.
    func playsThrough(_ disturbance: () async throws -> Void) async throws {
        try await awaitState("playing")
        // So far that a start from the beginning would be seen.
        try await eventually("\(name): 3 s") { try await position() >= 3 }
        let (before, start, began) = (try await identity(), try await position(), monotonicNow())
        try await disturbance()
        #expect(try await state() == "playing", "\(name)")
        #expect(try await identity() == before, "\(name) plays something else")
        let moved = try await position() - start
        // It counts whole seconds, and asking takes a moment.
        let passed = monotonicNow() - began
        #expect(abs(moved - passed) < 2.5, "\(name) moved \(moved) s in \(passed) s")
    }
}
