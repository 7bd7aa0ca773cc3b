import Foundation
import HostInterface
import ManualTime

@testable import HostCore

/// Everything between an app's call and its extension.
struct RemoteWorld {
    static let app = "org.example.player"

    let sessions: RemoteSessions
    let nowPlaying: NowPlaying
    let remote: ScriptedRemote
    let clock: ManualClock
    let reports: Reports

    func start(_ session: String, _ attributes: String = "one") async throws -> String {
        try await sessions.start(session, application: Self.app, name: "Player", attributes: Data(attributes.utf8))
    }

    func update(_ session: String, _ attributes: String) async throws {
        try await sessions.update(session, application: Self.app, attributes: Data(attributes.utf8))
    }

    /// The session once it fits.
    func shown(_ id: String, where fits: (NowPlayingSession) -> Bool = { _ in true }) async throws
        -> NowPlayingSession
    {
        for await change in await nowPlaying.changes() {
            if case .session(let session) = change, session.id == id, fits(session) { return session }
        }
        throw HostError(.internalFailure, "The changes ended.")
    }

    /// Advances the clock until `isDone`: a task that is about to sleep may not sleep yet.
    func advance(by step: Duration, until isDone: () async -> Bool) async {
        while await !isDone() {
            clock.advance(by: step)
            await Task.yield()
        }
    }

    func isGone(_ id: String) async throws {
        for await change in await nowPlaying.changes() {
            if case .removed(id) = change { return }
            // It was removed before the check.
            if case .pausesOthers = change, (try? await nowPlaying.session(id)) == nil { return }
        }
    }

    /// Runs `body` with everything that runs.
    static func open(
        _ remote: ScriptedRemote = ScriptedRemote(), clockOffset: Double = 0, _ body: (RemoteWorld) async throws -> Void
    ) async throws {
        let host = HostUnderTest(ScriptedRunner(script: { _ in [] }))
        let clock = ManualClock()
        let reports = Reports()
        let nowPlaying = NowPlaying(
            host: host.host, pausesOthers: false, clock: clock, keepPausesOthers: { _ in },
            report: { reports.add($0) })
        let sessions = RemoteSessions(
            runner: remote, store: remote, nowPlaying: nowPlaying, clock: clock, clockOffset: { clockOffset },
            report: { reports.add($0) })
        await remote.serve(sessions)
        let running = Task { await nowPlaying.run() }
        await sessions.restore()
        try await body(
            RemoteWorld(sessions: sessions, nowPlaying: nowPlaying, remote: remote, clock: clock, reports: reports))
        nowPlaying.end()
        await running.value
        await host.finish()
    }
}
