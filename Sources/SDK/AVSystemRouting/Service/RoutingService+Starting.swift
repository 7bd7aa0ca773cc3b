import AVKit
import Foundation
import HostClient
import HostInterface
import PlaybackMirroring
import TypeIdentifiers

/// Starts sessions.
extension RoutingService {
    /// The number of daemons that one start is sent to, each after the previous one has ended.
    private static let mostDaemons = 10

    /// Starts a session, and repeats the request with the next daemon if this one ends meanwhile. By the name of the
    /// request, the next daemon resumes a session that the previous one began, or begins it.
    ///
    /// - Throws: ``AVSystemRoutingError``: the device's reason, or `host-unavailable` if no daemon comes back.
    func start(
        _ url: URL, _ mode: AVSystemRoute.LaunchMode, on route: AVSystemRoute
    ) async throws -> AVSystemRouteMediaSession {
        var application: String?
        // The counterpart supports one protocol, which is used even if the device supports several.
        var way: String?
        switch mode {
        case .application:
            application = try counterpart(by: route.protocolType)
            way = route.protocolType.identifier
        case .player:
            guard information.supportsUniversalURLPlayback else {
                throw AVSystemRoutingError(
                    HostError(.notSupported, "Set MDESupportsUniversalURLPlayback in the Info.plist."))
            }
        }
        starting += 1
        defer {
            starting -= 1
            if starting == 0 { ended = [:] }
        }
        do {
            let path = try await play(url, on: route, application: application, via: way)
            return await mediaSession(at: path, hasChannel: mode == .application)
        } catch {
            let error = Self.routingError(error)
            note(error.localizedDescription, about: route.path)
            throw error
        }
    }

    /// - Returns: The session's object path.
    private func play(
        _ url: URL, on route: AVSystemRoute, application: String?, via way: String?
    ) async throws -> String {
        let request = UUID().uuidString
        var client = try await connected()
        var daemons = 1
        while true {
            let outcome: Result<String, HostError>
            do {
                outcome = .success(
                    try await client.play(url, on: route.path, application: application, via: way, request: request))
            } catch {
                outcome = .failure(error)
            }
            guard case .failure(let error) = outcome, error.code == .hostUnavailable, daemons < Self.mostDaemons else {
                return try outcome.get()
            }
            client = try await daemon(after: client)
            daemons += 1
            guard route.isActive else { throw error }
        }
    }

    /// - Throws: ``AVSystemRoutingError`` if the `Info.plist` names none.
    private func counterpart(by protocolType: UTType) throws -> String {
        guard let identifier = information.supportedProtocols[protocolType.identifier] else {
            throw AVSystemRoutingError(
                HostError(
                    .notSupported, "Add \(protocolType.identifier) to MDESupportedProtocols in the Info.plist."))
        }
        // An empty value: its counterpart is called as the app itself.
        let own = information.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return identifier.isEmpty ? own : identifier
    }

    /// Returns the connection to the next daemon after one has ended.
    ///
    /// - Throws: ``HostError`` `host-unavailable` if none serves after all tries.
    private func daemon(after lost: HostClient) async throws -> HostClient {
        disconnected(from: lost)
        for delay in retryDelays {
            try await Task.sleep(for: delay)
            if let client = try? await connected() { return client }
        }
        throw HostError(
            .hostUnavailable, "The daemon ended while the session was being started. Start a new session to try again.")
    }

    private func mediaSession(at path: String, hasChannel: Bool) async -> AVSystemRouteMediaSession {
        let channel =
            hasChannel
            ? AVSystemRoute.DataChannel(path: path, interface: HostNames.sessionInterface, service: self) : nil
        channels[path] = channel
        let state = sessions[path]?.playback ?? PlaybackState()
        // Unbounded: writes of a person, or of an app that means them.
        let (stream, commands) = AsyncStream.makeStream(of: PlaybackCommand.self)
        let control = await MainActor.run { MirroredPlaybackControl(state) { commands.yield($0) } }
        controls[path] = control
        self.commands[path] = commands
        // One after the other: the order of the app's writes is the order at the device.
        Task { [weak self] in
            for await command in stream { await self?.send(command, session: path) }
        }
        // The state may have changed while the control was created.
        if let now = sessions[path]?.playback, now != state { await control.update(now) }
        if let error = ended.removeValue(forKey: path) { await end(path, error: error) }
        return AVSystemRouteMediaSession(path: path, control: control, dataChannel: channel, service: self)
    }
}
