import Foundation
import MPDProtocol
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import MPDExtension

/// The extension, as the host calls it, beside a real server, something to play, and `mpc` as the independent witness and
/// the other person in the room.
@MainActor
final class MPDRoom {
    let server: MPDServer
    let media: MediaServer
    private(set) var system = TestSystem(MPDExtension())
    let device: MediaOutputDevice

    init(hasMixer: Bool = true) async throws {
        server = try await MPDServer(hasMixer: hasMixer)
        media = try await MediaServer()
        let port = try #require(NWEndpoint.Port(rawValue: UInt16(server.port)))
        device = try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Room", capabilities: .urlPlayback, deviceType: .hifiSpeaker,
                volumeControl: .absolute, canMute: false,
                requiredNetworkEndpoints: [.hostPort(host: "127.0.0.1", port: port)]))
    }

    deinit { server.stop() }

    /// Another process of the extension. The earlier one is as if it had died: it says nothing any longer.
    func restartExtension() { system = TestSystem(MPDExtension()) }

    func activate() async throws -> TestSession<MPDExtension> {
        let session = system.activate(device)
        try await session.activated()
        return session
    }

    func play(
        _ address: String, _ information: MediaOutputSession.MediaInformation? = nil
    ) async throws -> TestSession<MPDExtension> {
        let session = try await activate()
        session.start(try #require(URL(string: address)), information: information)
        return session
    }

    /// Plays, and waits until the server decodes it.
    func playing(
        _ address: String, _ information: MediaOutputSession.MediaInformation? = nil
    ) async throws -> (TestSession<MPDExtension>, any AVPlaybackUserInterfaceControllable) {
        let session = try await play(address, information)
        try await session.started()
        let control = try #require(session.control)
        await eventually("playing") { control.isReady && control.isPlaying && !control.isBuffering }
        return (session, control)
    }

    func isPlaying() async throws -> Bool { try await server.mpc("status").contains("[playing]") }

    func isPaused() async throws -> Bool { try await server.mpc("status").contains("[paused]") }

    /// The number of reports that the session started, and its ending.
    func story(of session: TestSession<MPDExtension>) -> [String] {
        system.reports.compactMap { report in
            switch report {
            case .started(session.id, _): "started"
            case .sessionEnded(session.id, _): "ended"
            case .sessionFailed(session.id, let error): error.code
            default: nil
            }
        }
    }
}
