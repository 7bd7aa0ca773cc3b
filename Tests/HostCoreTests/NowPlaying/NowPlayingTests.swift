import HostInterface
import ManualTime
import Synchronization
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct NowPlayingTests {
    private static func state(_ title: String, playing: Bool = false) -> MediaSessionState {
        MediaSessionState(
            content: MediaItem(id: title, kind: .music, isVideo: false, title: title),
            playback: MediaPlayback(state: playing ? .playing : .paused),
            controls: [MediaControl(.play), MediaControl(.pause), MediaControl(.next, isEnabled: false)])
    }

    private static func session(_ id: String, _ state: MediaSessionState) -> NowPlayingSession {
        NowPlayingSession(id: id, kind: .local, owner: id, application: "org.example." + id, name: id, state: state)
    }

    /// A hub that runs until the end of `body`.
    private func with(
        pausesOthers: Bool = false, clock: any Clock<Duration> = ContinuousClock(),
        _ body: (NowPlaying, Reports) async throws -> Void
    ) async throws {
        let world = HostUnderTest(ScriptedRunner(script: { _ in [] }))
        let reports = Reports()
        let nowPlaying = NowPlaying(
            host: world.host, pausesOthers: pausesOthers, clock: clock, keepPausesOthers: { reports.kept($0) },
            report: { reports.add($0) })
        let running = Task { await nowPlaying.run() }
        try await body(nowPlaying, reports)
        nowPlaying.end()
        await running.value
        await world.finish()
    }

    /// The changes up to the first matching one.
    private func next<Value>(
        _ changes: AsyncStream<NowPlayingChange>, _ fit: (NowPlayingChange) -> Value?
    ) async throws -> Value {
        for await change in changes {
            if let value = fit(change) { return value }
        }
        throw HostError(.internalFailure, "The changes ended.")
    }

    private func shown(_ id: String, where fits: @escaping (NowPlayingSession) -> Bool = { _ in true }) -> (
        NowPlayingChange
    ) -> NowPlayingSession? {
        { if case .session(let session) = $0, session.id == id, fits(session) { session } else { nil } }
    }

    @Test func theLoserIsTold() async throws {
        try await with { nowPlaying, _ in
            let (one, two) = (RecordingPort(), RecordingPort())
            let changes = await nowPlaying.changes()
            nowPlaying.register(Self.session("one", Self.state("A", playing: true)), one)
            _ = try await next(changes, shown("one") { $0.isSystemPrimary })
            nowPlaying.register(Self.session("two", Self.state("B", playing: true)), two)
            _ = try await next(changes, shown("one") { !$0.isSystemPrimary })
            #expect(await one.roles(count: 2) == [[true, true], [true, false]])
            #expect(await two.roles(count: 1) == [[true, true]])
            #expect(await one.actions.isEmpty, "nobody wished others to be paused")
        }
    }

    @Test func whoWasFirstIsPausedWhereThatIsWanted() async throws {
        try await with(pausesOthers: true) { nowPlaying, _ in
            let (one, two) = (RecordingPort(), RecordingPort())
            nowPlaying.register(Self.session("one", Self.state("A", playing: true)), one)
            nowPlaying.register(Self.session("two", Self.state("B", playing: true)), two)
            #expect(await one.actions(count: 1) == [MediaAction(.pause)])
            // No report of the paused session; only the other session changes.
            nowPlaying.update("one", Self.state("A"))
            try await nowPlaying.perform(MediaAction(.play), session: "one")
            nowPlaying.update("one", Self.state("A", playing: true))
            #expect(await two.actions(count: 1) == [MediaAction(.pause)])
        }
    }

    @Test func theSettingIsKept() async throws {
        try await with { nowPlaying, reports in
            try await nowPlaying.setPausesOthers(true)
            #expect(reports.settings == [true])
            #expect(await nowPlaying.pausesOthers)
        }
    }

    @Test func aBackgroundAppGetsNoPlace() async throws {
        try await with { nowPlaying, _ in
            nowPlaying.register(Self.session("one", Self.state("A", playing: true)), RecordingPort())
            nowPlaying.register(Self.session("two", Self.state("B")), RecordingPort())
            try await nowPlaying.claimSystem("two", isForeground: false)
            #expect(try await nowPlaying.session("one").isSystemPrimary)
            try await nowPlaying.claimSystem("two", isForeground: true)
            #expect(try await nowPlaying.session("two").isSystemPrimary)
            await #expect(throws: HostError.self) { try await nowPlaying.claimSystem("nobody", isForeground: true) }
        }
    }

    @Test func failureIsVisibleAndForgottenByTheNextSuccess() async throws {
        try await with { nowPlaying, reports in
            let port = RecordingPort()
            let changes = await nowPlaying.changes()
            nowPlaying.register(Self.session("one", Self.state("A")), port)
            _ = try await next(changes, shown("one"))
            await port.fail(HostError(.commandFailed, "The needle is broken."))
            await #expect(throws: HostError(.commandFailed, "The needle is broken.")) {
                try await nowPlaying.perform(MediaAction(.play), session: "one")
            }
            let failed = try await next(changes, shown("one") { $0.lastError != nil })
            #expect(failed.lastError?.code == .commandFailed)
            #expect(reports.errors.map(\.code) == [.commandFailed])
            await port.fail(nil)
            try await nowPlaying.perform(MediaAction(.play), session: "one")
            #expect(try await nowPlaying.session("one").lastError == nil)
        }
    }

    @Test func whatIsDisabledOrMissingIsNeverAsked() async throws {
        try await with { nowPlaying, _ in
            let port = RecordingPort()
            let changes = await nowPlaying.changes()
            nowPlaying.register(Self.session("one", Self.state("A")), port)
            _ = try await next(changes, shown("one"))
            for kind in [MediaControl.Kind.next, .previous] {
                await #expect(throws: HostError.self) {
                    try await nowPlaying.perform(MediaAction(kind), session: "one")
                }
            }
            await #expect(throws: HostError.self) { try await nowPlaying.setVolume(0.5, session: "one") }
            #expect(await port.actions.isEmpty)
        }
    }

    @Test func anOwnerThatHangsHasThreeSeconds() async throws {
        let clock = ManualClock()
        try await with(clock: clock) { nowPlaying, _ in
            let port = RecordingPort(hangs: true)
            let changes = await nowPlaying.changes()
            nowPlaying.register(Self.session("one", Self.state("A")), port)
            _ = try await next(changes, shown("one"))
            async let result: Void = nowPlaying.perform(MediaAction(.play), session: "one")
            _ = await port.actions(count: 1)
            // The deadline does not begin after the work: it runs beside it.
            await clock.slept(times: 1)
            clock.advance(by: NowPlaying.commandLimit)
            do {
                try await result
                Issue.record("it returned")
            } catch {
                #expect((error as? HostError)?.code == .timedOut)
            }
            await port.letGo()
        }
    }

    @Test func allOfAnOwnerGoesWithIt() async throws {
        try await with { nowPlaying, _ in
            let changes = await nowPlaying.changes()
            nowPlaying.register(Self.session("one", Self.state("A")), RecordingPort())
            nowPlaying.forget(owner: "one")
            let id = try await next(changes) { if case .removed(let id) = $0 { id } else { nil } }
            #expect(id == "one")
            await #expect(throws: HostError.self) { try await nowPlaying.session("one") }
        }
    }
}

/// Records reports and stored values.
final class Reports: Sendable {
    private let state = Mutex<(errors: [HostError], settings: [Bool])>(([], []))
    func add(_ error: HostError) { state.withLock { $0.errors.append(error) } }
    func kept(_ value: Bool) { state.withLock { $0.settings.append(value) } }
    var errors: [HostError] { state.withLock { $0.errors } }
    var settings: [Bool] { state.withLock { $0.settings } }
}

/// The owner of a session, which records its requests.
actor RecordingPort: MediaSessionPort {
    private(set) var actions: [MediaAction] = []
    private var told: [[Bool]] = []
    private var error: HostError?
    private let hangs: Bool
    private var held: [CheckedContinuation<Void, Never>] = []
    private var waiters: [(isDone: @Sendable (isolated RecordingPort) -> Bool, CheckedContinuation<Void, Never>)] = []

    init(hangs: Bool = false) { self.hangs = hangs }

    func fail(_ error: HostError?) { self.error = error }

    func ask(_ call: MediaHandlerCall) async throws -> MediaHandlerAnswer {
        switch call {
        case .perform(let action):
            actions.append(action)
            wake()
            if hangs { await withCheckedContinuation { held.append($0) } }
            if let error { throw error }
        case .setRoles(let isApplicationPrimary, let isSystemPrimary):
            told.append([isApplicationPrimary, isSystemPrimary])
            wake()
        default: break
        }
        return MediaHandlerAnswer()
    }

    func letGo() {
        for continuation in held { continuation.resume() }
        held = []
    }

    func setVolume(_ level: Double) async throws {}

    func actions(count: Int) async -> [MediaAction] {
        await until { $0.actions.count >= count }
        return actions
    }

    func roles(count: Int) async -> [[Bool]] {
        await until { $0.told.count >= count }
        return told
    }

    private func until(_ isDone: @escaping @Sendable (isolated RecordingPort) -> Bool) async {
        if isDone(self) { return }
        await withCheckedContinuation { waiters.append((isDone, $0)) }
    }

    private func wake() {
        let ready = waiters.filter { $0.isDone(self) }
        waiters.removeAll { $0.isDone(self) }
        for (_, continuation) in ready { continuation.resume() }
    }
}
