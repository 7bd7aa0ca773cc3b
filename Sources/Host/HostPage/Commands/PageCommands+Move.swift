import Foundation
import HostClient
import HostInterface

extension PageCommands {
    /// How long a device may take until it plays.
    private static let startLimit = Duration.seconds(20)
    /// The greatest difference of positions that nobody hears as one, in seconds.
    private static let tolerance = 2.0

    /// Continues a session on another device: starts there at the position that is heard, and ends the source once it plays
    /// there. If it doesn't, the source plays on. The volume of neither device changes.
    func move(_ path: String, to device: String) async throws(HostError) -> String {
        let view = await hub.state.view
        guard let source = view.sessions.values.first(where: { $0.path == path }), !source.isOver else {
            throw Self.ended
        }
        guard !source.devices.contains(device) else { throw HostError(.invalidArgument, "It plays there already.") }
        guard source.application == nil, let url = URL(string: source.source), url.scheme != nil else {
            throw HostError(
                .notSupported, "This playback can't move: only its app or program can begin it elsewhere.",
                remedy: "Route the app to the other device instead.")
        }
        let wasPlaying = source.playback.isPlaying || source.playback.isBuffering
        let media = Self.media(of: source)
        let target = try await link.with { client throws(HostError) in
            try await client.play(url, on: device, media: media)
        }
        do throws(HostError) {
            let session = try await started(target, mustPlay: wasPlaying)
            try await adjust(session, to: source.path, wasPlaying: wasPlaying)
        } catch {
            _ = try? await link.with { client throws(HostError) in try await client.stop(target) }
            throw error
        }
        do throws(HostError) {
            try await link.with { client throws(HostError) in try await client.stop(path) }
        } catch {
            // Beginning on the other device may have ended it already.
            guard error.code == .noSuchSession else { throw error }
        }
        return Self.session(target)
    }

    private static func media(of source: ClientSession) -> MediaInformation {
        var media = MediaInformation()
        media.title = source.title.isEmpty ? nil : source.title
        media.artist = source.subtitle.isEmpty ? nil : source.subtitle
        media.artworkURL = source.artworkURL.isEmpty ? nil : source.artworkURL
        let position = source.playback.position(at: MonotonicTime.now)
        if !source.playback.isLive, position >= 1 { media.startPosition = position }
        return media
    }

    /// Waits until a session plays, or, for one that was paused, is ready.
    ///
    /// - Throws: ``HostError`` of the session, or `timed-out`.
    private func started(_ path: String, mustPlay: Bool) async throws(HostError) -> ClientSession {
        @Sendable func isDone(_ view: HostView) -> Bool {
            guard let session = view.sessions.values.first(where: { $0.path == path }) else {
                return view.ended[path] != nil
            }
            return session.isOver || (session.state == "active" && (session.playback.isPlaying || !mustPlay))
        }
        let isInTime = await hub.wait(for: Self.startLimit, until: isDone)
        let view = await hub.state.view
        let session = view.sessions.values.first { $0.path == path } ?? view.ended[path]
        if let session, session.isOver {
            throw session.error ?? HostError(.sessionFailed, "Playback ended on the other device at once.")
        }
        guard isInTime, let session else {
            throw HostError(
                .timedOut, "The other device didn't begin to play in time.",
                remedy: "Check that the device is on and on this network, then try again.")
        }
        return session
    }

    /// Seeks where the device began elsewhere, and pauses what was paused.
    private func adjust(_ session: ClientSession, to source: String, wasPlaying: Bool) async throws(HostError) {
        let view = await hub.state.view
        let now = MonotonicTime.now
        if !wasPlaying {
            try await link.with { client throws(HostError) in
                try await client.command(PlaybackCommand(.setPlaying, flag: false), session: session.path)
            }
        }
        guard let heard = view.sessions.values.first(where: { $0.path == source })?.playback, !heard.isLive,
            session.playback.canSeek, heard.timeRange.duration > 0
        else { return }
        let position = heard.position(at: now)
        guard abs(session.playback.position(at: now) - position) > Self.tolerance else { return }
        try await link.with { client throws(HostError) in
            try await client.command(
                PlaybackCommand(.seek, number: position, tolerance: 0), session: session.path)
        }
    }
}
