import Foundation
import HostInterface
import LinkProtocol

/// Playback that a device runs for another sender.
extension MediaHost {
    /// Takes control of a device's playback that was started elsewhere. The playback continues unchanged.
    ///
    /// The session lasts until the playback ends. A release of the device ends the session, not the playback.
    ///
    /// - Parameter via: See ``play(_:on:with:application:media:via:owner:request:prompt:)-(URL,_,_,_,_,_,_,_,_)``.
    /// - Returns: The identifier of the session; that of this computer's own if it plays there.
    /// - Throws: ``HostError`` `no-such-session` if nothing plays, `not-supported` if the device can't tell, and the
    ///   errors of an activation.
    package func takeControl(of id: String, via: String? = nil, prompt: PairingPrompt?) async throws -> String {
        let name = try shownDevice(id).description.name
        return try await withPart(
            of: id, via: via, where: { $0.description.activity != nil },
            unable: { HostError(.notSupported, "\($0) doesn't tell what other senders play.") }
        ) { part in
            let id = groups.leader(of: part.id)
            try await openRoute(id, prompt: prompt)
            guard let route = routes[id] else { throw HostError(.unreachable, "\(name) went away.") }
            if let current = route.currentSession { return current }
            lastSession += 1
            var session = HostSession(
                id: String(lastSession), deviceID: id, source: "", application: nil, media: MediaInformation())
            session.members = groups.members(of: id)
            session.isOthers = true
            routes[id]?.currentSession = session.id
            sessions[session.id] = session
            publish(session)
            do {
                try await starts.outcome(
                    session.id, within: timing.adoption, clock: clock,
                    late: HostError(.timedOut, "\(name) did not tell in time what it plays.")
                ) { [runner] in
                    try await runner.perform(.takeControl(session: route.linkSession), on: route.extensionIdentifier)
                }
                return session.id
            } catch {
                await finish(session.id, error: nil)
                if error is PlaybackIsOver { throw HostError(.noSuchSession, "Nothing plays on \(name).") }
                throw error
            }
        }
    }

    /// Ends the session of another sender's playback, which plays on.
    func leavePlayback(_ id: String) async {
        guard let session = sessions[id], session.isOthers else { return }
        await finish(id, error: nil, ending: .stopped, keepRoute: true)
    }
}
