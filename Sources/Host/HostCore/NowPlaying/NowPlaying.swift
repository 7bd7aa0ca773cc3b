package import HostInterface
import Synchronization

/// All media sessions of the computer, with their state, roles and owners.
///
/// ``events`` receives events in order; ``changes()`` reports changes in order.
package actor NowPlaying {
    /// The time limit for a session's owner to perform a command.
    package static let commandLimit = Duration.seconds(3)

    private let host: MediaHost
    private let clock: any Clock<Duration>
    private let report: @Sendable (HostError) -> Void
    private let keepPausesOthers: @Sendable (Bool) async throws -> Void

    private nonisolated let inbox: AsyncStream<NowPlayingEvent>
    private nonisolated let feed: AsyncStream<NowPlayingEvent>.Continuation
    /// Identifiers of devices in use. The others, possibly thousands, need no state here.
    private nonisolated let usedDevices = Mutex<Set<String>>([])
    private var election = NowPlayingElection()
    private var routes = RouteSessions()
    private var sessions: [String: NowPlayingSession] = [:]
    private var ports: [String: any MediaSessionPort] = [:]
    private var followers: [Int: AsyncStream<NowPlayingChange>.Continuation] = [:]
    private var lastFollower = 0
    private var isOver = false
    private var publishedPrimary: String?
    /// The last notice of its roles to each session's owner.
    private var notices: [String: Task<Void, Never>] = [:]
    private let answers = Expectations<Int, Void>()
    private var lastRequest = 0
    package private(set) var pausesOthers: Bool

    /// - Parameters:
    ///   - pausesOthers: `true` to pause a playing app when another session becomes system primary.
    ///   - keepPausesOthers: Stores that setting permanently.
    ///   - report: Receives the errors of failed commands.
    package init(
        host: MediaHost, pausesOthers: Bool, clock: any Clock<Duration> = ContinuousClock(),
        keepPausesOthers: @escaping @Sendable (Bool) async throws -> Void,
        report: @escaping @Sendable (HostError) -> Void
    ) {
        self.host = host
        self.pausesOthers = pausesOthers
        self.clock = clock
        self.keepPausesOthers = keepPausesOthers
        self.report = report
        // Unbounded: apps send the next update when the one before was taken.
        (inbox, feed) = AsyncStream.makeStream(of: NowPlayingEvent.self)
    }

    /// Serves until cancelled, or until ``end()``.
    package func run() async {
        for await event in inbox { apply(event) }
        isOver = true
        for follower in followers.values { follower.finish() }
        followers = [:]
    }

    package nonisolated func end() { feed.finish() }

    // MARK: Events

    package nonisolated func register(_ session: NowPlayingSession, _ port: some MediaSessionPort) {
        feed.yield(.register(session, port))
    }

    package nonisolated func update(_ id: String, _ state: MediaSessionState) { feed.yield(.update(id: id, state)) }
    package nonisolated func withdraw(_ id: String) { feed.yield(.withdraw(id: id)) }
    /// Ends all sessions of an owner that disconnected.
    package nonisolated func forget(owner: String) { feed.yield(.forget(owner: owner)) }
    /// Processes a change of the host's sessions.
    package nonisolated func hostChanged(_ change: HostChange) {
        switch change {
        case .device(let device) where device.activation == .idle:
            if usedDevices.withLock({ $0.remove(device.id) }) != nil { feed.yield(.host(change)) }
        case .device(let device):
            usedDevices.withLock { _ = $0.insert(device.id) }
            feed.yield(.host(change))
        case .deviceRemoved(let id):
            if usedDevices.withLock({ $0.remove(id) }) != nil { feed.yield(.host(change)) }
        case .session, .sessionRemoved: feed.yield(.host(change))
        default: break
        }
    }

    /// Makes a session application primary.
    ///
    /// - Throws: ``HostError`` `not-supported` if it has nothing to show.
    package nonisolated func claimApplication(_ id: String) async throws(HostError) {
        guard await claim({ .claimApplication(id: id, $0) }) else { throw Self.nothingToShow }
    }

    /// No effect from the background.
    package nonisolated func claimSystem(_ id: String, isForeground: Bool) async throws(HostError) {
        guard await claim({ .claimSystem(id: id, isForeground: isForeground, $0) }) else { throw Self.nothingToShow }
    }

    private nonisolated func claim(_ event: (CheckedContinuation<Bool, Never>) -> NowPlayingEvent) async -> Bool {
        await withCheckedContinuation { continuation in
            if case .terminated = feed.yield(event(continuation)) { continuation.resume(returning: false) }
        }
    }

    private static let nothingToShow = HostError(.notSupported, "The session has nothing to show.")

    private func apply(_ event: NowPlayingEvent) {
        switch event {
        case .register(let session, let port):
            ports[session.id] = port
            put(session)
        case .update(let id, let state):
            guard var session = sessions[id], session.state != state else { return }
            session.show(state)
            put(session)
        case .withdraw(let id): remove(id)
        case .forget(let owner): for session in sessions.values where session.owner == owner { remove(session.id) }
        case .host(let change):
            for (session, shown) in routes.apply(change) {
                guard var shown else {
                    remove("route" + session.id)
                    continue
                }
                if ports[shown.id] == nil {
                    ports[shown.id] = RoutePort(host: host, session: session.id)
                }
                shown.lastError = sessions[shown.id]?.lastError
                put(shown)
            }
        case .claimApplication(let id, let continuation):
            let isDone = election.claimApplication(id)
            electionChanged()
            continuation.resume(returning: isDone)
        case .claimSystem(let id, let isForeground, let continuation):
            let hasContent = sessions[id]?.state.content != nil
            if isForeground, hasContent { _ = election.claimSystem(id) }
            electionChanged()
            continuation.resume(returning: hasContent)
        }
    }

    private func put(_ session: NowPlayingSession) {
        sessions[session.id] = session
        election.update(
            session.id, owner: session.owner, hasContent: session.state.content != nil,
            isActive: session.state.playback?.isActive ?? false)
        electionChanged(besides: session.id)
    }

    private func remove(_ id: String) {
        guard sessions.removeValue(forKey: id) != nil else { return }
        ports[id] = nil
        notices[id] = nil
        election.remove(id)
        tell(.removed(id: id))
        electionChanged()
    }

    /// Publishes changed roles, and the session `besides` in any case.
    private func electionChanged(besides changed: String? = nil) {
        for (id, old) in sessions {
            var session = old
            session.isApplicationPrimary = election.isApplicationPrimary(id)
            session.isSystemPrimary = election.isSystemPrimary(id)
            let hasMoved = session != old
            guard hasMoved || id == changed else { continue }
            sessions[id] = session
            tell(.session(session))
            guard hasMoved, let port = ports[id] else { continue }
            let earlier = notices[id]
            notices[id] = Task { [session] in
                // One after the other, so that the last report is the valid one.
                await earlier?.value
                _ = try? await port.ask(
                    .setRoles(
                        isApplicationPrimary: session.isApplicationPrimary, isSystemPrimary: session.isSystemPrimary))
            }
        }
        guard election.systemPrimary != publishedPrimary else { return }
        let loser = publishedPrimary.flatMap { sessions[$0] }
        publishedPrimary = election.systemPrimary
        tell(.systemPrimary(publishedPrimary))
        if let loser { pause(loser) }
    }

    /// Pauses a session that lost the primary role to a playing one, if the person enabled that.
    private func pause(_ loser: NowPlayingSession) {
        guard pausesOthers, loser.kind == .local, loser.state.playback?.isActive == true,
            publishedPrimary.flatMap({ sessions[$0] })?.state.playback?.isActive == true
        else { return }
        guard let control = loser.state.enabled(.pause) ?? loser.state.enabled(.togglePlayPause) else { return }
        Task { try? await perform(MediaAction(control.kind), session: loser.id) }
    }

    // MARK: State for surfaces

    /// Returns all sessions, then every change. The stream finishes with the host.
    package func changes() -> AsyncStream<NowPlayingChange> {
        // Unbounded: consumers are the daemon's own publishers, which never block on a client.
        let (stream, continuation) = AsyncStream.makeStream(of: NowPlayingChange.self)
        lastFollower += 1
        let number = lastFollower
        followers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { [weak self] in await self?.unfollow(number) }
        }
        for session in sessions.values { continuation.yield(.session(session)) }
        continuation.yield(.systemPrimary(publishedPrimary))
        continuation.yield(.pausesOthers(pausesOthers))
        if isOver { continuation.finish() }
        return stream
    }

    private func unfollow(_ number: Int) { followers[number] = nil }

    private func tell(_ change: NowPlayingChange) {
        for follower in followers.values { follower.yield(change) }
    }

    package func session(_ id: String) throws(HostError) -> NowPlayingSession {
        guard let session = sessions[id] else { throw HostError(.noSuchSession, "The session has ended.") }
        return session
    }

    package func setPausesOthers(_ value: Bool) async throws {
        try await keepPausesOthers(value)
        pausesOthers = value
        tell(.pausesOthers(value))
    }

    // MARK: Commands

    /// Performs an action on a session.
    ///
    /// - Throws: ``HostError`` `no-such-session`, `not-supported` for an action that isn't offered or is disabled,
    ///   `timed-out` after ``commandLimit``, `command-failed` with the owner's text.
    package func perform(_ action: MediaAction, session id: String) async throws(HostError) {
        let session = try session(id)
        guard session.state.enabled(action.kind) != nil else {
            throw HostError(.notSupported, "\(session.name) does not offer that now.")
        }
        try await ask(session) { _ = try await $0.ask(.perform(action)) }
    }

    /// - Parameter level: `0.0...1.0`, clamped.
    package func setVolume(_ level: Double, session id: String) async throws(HostError) {
        let session = try session(id)
        guard session.volume != nil else {
            throw HostError(.notSupported, "\(session.name) has no volume that can be set here.")
        }
        guard level.isFinite else { throw HostError(.invalidArgument, "A level is a number from 0 to 1.") }
        try await ask(session) { try await $0.setVolume(min(1, max(0, level))) }
    }

    /// Sets the volume of a device on which a remote session plays.
    ///
    /// - Parameter level: The volume, clamped to `0.0...1.0`.
    /// - Throws: The errors of ``perform(_:session:)``, and `no-such-device`.
    package func setVolume(_ level: Double, device: String, session id: String) async throws(HostError) {
        let session = try session(id)
        guard level.isFinite else { throw HostError(.invalidArgument, "A level is a number from 0 to 1.") }
        guard try Self.device(device, of: session).level != nil else { throw Self.noLevel(device) }
        try await ask(session) {
            _ = try await $0.ask(.setDeviceVolume(device: device, level: min(1, max(0, level))))
        }
    }

    /// Changes the volume of a device on which a remote session plays by steps.
    ///
    /// - Parameter steps: The number of steps, negative for down, at most 100.
    /// - Throws: The errors of ``setVolume(_:device:session:)``.
    package func stepVolume(_ steps: Int32, device: String, session id: String) async throws(HostError) {
        let session = try session(id)
        guard try Self.device(device, of: session).isStepped else { throw Self.noLevel(device) }
        try await ask(session) {
            _ = try await $0.ask(.stepDeviceVolume(device: device, steps: min(100, max(-100, steps))))
        }
    }

    private static func device(
        _ id: String, of session: NowPlayingSession
    ) throws(HostError) -> MediaSessionDevice {
        guard let device = session.state.devices?.first(where: { $0.id == id }) else {
            throw HostError(.noSuchDevice, "\(session.name) does not play on “\(id)”.")
        }
        return device
    }

    private static func noLevel(_ device: String) -> HostError {
        HostError(.notSupported, "The volume of “\(device)” cannot be changed that way.")
    }

    /// Returns the owner's picture in encoded form.
    package func artwork(_ artwork: String, session id: String, width: Double, height: Double) async throws -> [UInt8] {
        guard let port = ports[id] else { throw HostError(.noSuchSession, "The session has ended.") }
        return try await port.ask(.artwork(id: artwork, width: width, height: height)).bytes
    }

    package func animatedArtwork(
        session id: String, aspectRatio: String, width: Double, height: Double
    ) async throws -> (preview: [UInt8], video: String) {
        guard let port = ports[id], let artwork = sessions[id]?.state.content?.animatedArtworkID else {
            throw HostError(.notSupported, "The session has no moving picture.")
        }
        let answer = try await port.ask(
            .animatedArtwork(id: artwork, aspectRatio: aspectRatio, width: width, height: height))
        return (answer.bytes, answer.text)
    }

    private func ask(
        _ session: NowPlayingSession, _ body: @escaping @Sendable (any MediaSessionPort) async throws -> Void
    ) async throws(HostError) {
        guard let port = ports[session.id] else { throw HostError(.noSuchSession, "The session has ended.") }
        lastRequest += 1
        let request = lastRequest
        let work = Mutex<Task<Void, Never>?>(nil)
        // A request that has timed out must not be carried out later.
        defer { work.withLock { $0?.cancel() } }
        do {
            try await answers.outcome(
                request, within: Self.commandLimit, clock: clock,
                late: HostError(.timedOut, "\(session.name) did not do that within 3 seconds.")
            ) { [answers] in
                let task = Task {
                    do {
                        try await body(port)
                        answers.fulfil(request, with: ())
                    } catch {
                        answers.fail(request, with: error)
                    }
                }
                work.withLock { $0 = task }
            }
            note(nil, session.id)
        } catch {
            let error = error as? HostError ?? HostError(.internalFailure, "\(error)")
            note(error, session.id)
            report(HostError(error.code, "A command to \(session.name) failed: \(error.message)"))
            throw error
        }
    }

    private func note(_ error: HostError?, _ id: String) {
        guard sessions[id] != nil, sessions[id]?.lastError != error else { return }
        sessions[id]?.lastError = error
        if let session = sessions[id] { tell(.session(session)) }
    }
}
