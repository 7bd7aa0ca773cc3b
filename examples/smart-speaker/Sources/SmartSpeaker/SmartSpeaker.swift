import AsyncHTTPClient
import Foundation
import NowPlaying
import Speakers

/// The app: registers its push token with the speakers' server, and shows a room at once on request.
@main
@MainActor
enum SmartSpeaker {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let server = ProcessInfo.processInfo.environment["SPEAKER_SERVER"] ?? "http://127.0.0.1:8765"
        switch (words.first, words.dropFirst().first) {
        case ("register", nil): try await register(server)
        case ("show", let room?): try await show(room, server)
        case ("hide", let room?): try await hide(room)
        default:
            print("usage: SmartSpeaker register | show ROOM | hide ROOM")
            exit(64)
        }
    }

    /// Registers with the server, which then starts sessions by itself.
    private static func register(_ server: String) async throws {
        for await token in RemoteMediaSession<SpeakerState>.pushToStartTokenUpdates {
            var request = HTTPClientRequest(url: server + "/token")
            request.method = .PUT
            request.body = .bytes(Data(token.map { String(format: "%02x", $0) }.joined().utf8))
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
            let isTaken = response.status == .ok
            return print(isTaken ? "The server may show its rooms here." : "The server said \(response.status).")
        }
    }

    private static func show(_ room: String, _ server: String) async throws {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: server + "/rooms/" + room), timeout: .seconds(5))
        guard response.status == .ok else { return print("The server knows no \(room).") }
        let state = try await SpeakerState(json: response.body.collect(upTo: 1 << 16).readableBytesView)
        _ = try await RemoteMediaSession.start(attributes: state)
    }

    private static func hide(_ room: String) async throws {
        for session in try await RemoteMediaSession<SpeakerState>.sessions() where session.id == room {
            try await session.end()
        }
    }
}
