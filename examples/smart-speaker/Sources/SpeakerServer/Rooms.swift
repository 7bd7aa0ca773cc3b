import Foundation
import Speakers

/// The rooms, the tokens of their viewers, and the pushes of changes.
actor Rooms {
    private var rooms: [String: Room] = [:]
    private var startToken: String?
    private var tokens: [String: String] = [:]
    private let push: @Sendable (Pusher.Event, SpeakerState, String) async -> UInt

    /// - Parameter push: Sends a state to a token, and gives the gateway's status.
    init(
        _ names: [String], server: URL, push: @escaping @Sendable (Pusher.Event, SpeakerState, String) async -> UInt
    ) {
        for name in names {
            let id = name.lowercased().replacing(" ", with: "-")
            rooms[id] = Room(id: id, room: name, server: server, now: Date())
        }
        self.push = push
    }

    func state(_ id: String) -> SpeakerState? { rooms[id]?.state }

    func setStartToken(_ token: String) { startToken = token }

    func setToken(_ token: String, of id: String) -> Bool {
        guard rooms[id] != nil else { return false }
        tokens[id] = token
        return true
    }

    /// - Returns: The state afterwards; `nil` for an unknown room.
    func apply(_ command: Room.Command, to id: String) async -> SpeakerState? {
        rooms[id]?.apply(command, at: Date())
        guard let state = rooms[id]?.state else { return nil }
        await tell(state)
        return state
    }

    private func tell(_ state: SpeakerState) async {
        if let token = tokens[state.id] {
            // Its session has ended on that computer: the next push starts it again.
            if await push(.update, state, token) == 410 { tokens[state.id] = nil } else { return }
        }
        if state.isPlaying, let startToken { _ = await push(.start, state, startToken) }
    }
}
