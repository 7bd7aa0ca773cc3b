import AsyncHTTPClient
import ExtensionFoundation
import Foundation
import NowPlaying
import Observation
import Speakers

/// Represents the rooms of the app `SmartSpeaker`, also while that does not run.
@main
struct SmartSpeakerRemote: @MainActor RemoteMediaSessionExtension {
    init() {}

    var configuration: some AppExtensionConfiguration { RemoteMediaSessionExtensionConfiguration(extension: self) }

    func session(_ attributes: SpeakerState) async throws -> RoomSession { RoomSession(attributes) }
}

/// One room: its last state from the server, and commands to the server.
@MainActor
@Observable
final class RoomSession: @MainActor RemoteMediaSessionRepresentable {
    struct Refused: LocalizedError {
        let status: UInt
        var errorDescription: String? { "The speaker's server answered \(status)." }
    }

    let id: String
    private var state: SpeakerState
    @ObservationIgnored private var tokens: Task<Void, Never>?

    init(_ state: SpeakerState) {
        id = state.id
        self.state = state
        // The server needs the session's token to push further changes.
        tokens = Task { [weak self] in
            guard let updates = self?.pushTokenUpdates else { return }
            for await token in updates { await self?.tell(token) }
        }
    }

    deinit { tokens?.cancel() }

    var content: (any MediaContentRepresentable)? {
        MusicContent(
            id: state.title, songTitle: state.title, artistName: state.artist, albumName: "", type: .audio,
            duration: .finite(state.duration), artwork: nil)
    }

    var playbackSnapshot: MediaPlaybackSnapshot? {
        MediaPlaybackSnapshot(
            state: state.isPlaying ? .playing() : .paused, elapsedTime: state.position, timestamp: state.since)
    }

    var commands: [MediaCommand] {
        [
            .play { try await self.send("play") }, .pause { try await self.send("pause") },
            .togglePlayPause { try await self.send(self.state.isPlaying ? "pause" : "play") },
            .next { try await self.send("next") }, .previous { try await self.send("previous") },
        ]
    }

    var devices: [MediaDevice] {
        let volume = MediaDevice.Capability.absoluteVolume(state.volume) { [weak self] level in
            try await self?.send("volume?level=\(level)")
        }
        return [MediaDevice(id: state.id, name: state.room, type: .speaker, capabilities: [volume])]
    }

    func update(_ attributes: SpeakerState) { state = attributes }

    /// The server's answer is the new state; its push sends the same to all others.
    private func send(_ command: String) async throws {
        var request = HTTPClientRequest(url: state.server.absoluteString + "/rooms/\(id)/\(command)")
        request.method = .POST
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(3))
        guard response.status == .ok else { throw Refused(status: response.status.code) }
        state = try await SpeakerState(json: response.body.collect(upTo: 1 << 16).readableBytesView)
    }

    private func tell(_ token: Data) async {
        var request = HTTPClientRequest(url: state.server.absoluteString + "/rooms/\(id)/token")
        request.method = .PUT
        request.body = .bytes(Data(token.map { String(format: "%02x", $0) }.joined().utf8))
        _ = try? await HTTPClient.shared.execute(request, timeout: .seconds(3))
    }
}
