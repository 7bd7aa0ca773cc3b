import Foundation
import HostInterface

/// All remote sessions: what apps and servers say of them, and the extensions that represent them.
///
/// An extension runs while one of its sessions is made, updated or commanded, and a while after what it was last asked or
/// last told; what its sessions showed is shown on without it.
package actor RemoteSessions {
    /// How long an extension runs on with nothing to do.
    package static let patience = Duration.seconds(60)
    /// For an extension to be launched.
    static let launchLimit = Duration.seconds(10)

    let runner: any RemoteSessionRunner
    let store: any RemoteSessionStore
    let nowPlaying: NowPlaying
    let clock: any Clock<Duration>
    let clockOffset: @Sendable () -> Double
    let report: @Sendable (HostError) -> Void

    var records: [Int: RemoteSessionRecord] = [:]
    private var lastNumber = 0
    let launches = Expectations<String, Void>()
    var tokens = PushTokenBook()
    var ended: [EndedSession: Int64] = [:]
    var failures: [PushFailure] = []
    /// What became of pushes nobody waits for, and tokens that were replaced; for one reader.
    package nonisolated let pushNews: AsyncStream<PushNews>
    let pushNewsFeed: AsyncStream<PushNews>.Continuation
    var tokenFeed: AsyncStream<Void>.Continuation?
    var extensions: [String: RemoteExtension] = [:]
    /// The last piece of work of each session, for the next one to follow.
    var work: [Int: Task<Void, any Error>] = [:]
    var storing: [Int: Task<Void, Never>] = [:]

    /// - Parameters:
    ///   - clockOffset: `CLOCK_MONOTONIC` minus the time since 1970, in seconds.
    ///   - report: Told about what failed with nobody waiting for it.
    package init(
        runner: any RemoteSessionRunner, store: any RemoteSessionStore, nowPlaying: NowPlaying,
        clock: any Clock<Duration> = ContinuousClock(),
        clockOffset: @escaping @Sendable () -> Double = { MonotonicTime.now - Date().timeIntervalSince1970 },
        report: @escaping @Sendable (HostError) -> Void
    ) {
        self.runner = runner
        self.store = store
        self.nowPlaying = nowPlaying
        self.clock = clock
        self.clockOffset = clockOffset
        self.report = report
        (pushNews, pushNewsFeed) = AsyncStream.makeStream(of: PushNews.self, bufferingPolicy: .bufferingNewest(64))
    }

    /// Shows again what was shown when the daemon ended; call once, before anything else.
    package func restore() async {
        for status in await runner.statuses() where status.point == .remoteMedia { statusChanged(status) }
        do {
            lastNumber = try await store.lastRemoteSession()
            tokens = PushTokenBook(try await store.pushTokens())
            ended = try await store.endedRemoteSessions()
            try await store.dropPushTokens(tokens.prune(at: Int64(Date().timeIntervalSince1970)))
            for record in try await store.remoteSessions() {
                records[record.number] = record
                if isRepresented(record) { show(record) }
                // What was accepted and not delivered is delivered now, and what was shown last is asked for.
                if record.pending != nil || !record.isCurrent { deliverUnwatched(record.number) }
            }
        } catch {
            report(HostError(.storageFailed, "The remote sessions of before cannot be read: \(error)"))
        }
    }

    package var isEmpty: Bool { records.isEmpty }

    // MARK: What apps ask

    /// Shows a session, or brings the one of the same identifier up to date; returns when the extension has taken it.
    ///
    /// - Returns: The media session's identifier.
    /// - Throws: ``HostError`` `no-such-extension` where the app has none for remote sessions, `invalid-argument` for
    ///   attributes the extension cannot use, or why the extension failed: a new session is gone then.
    package func start(_ session: String, application: String, name: String, attributes: Data) async throws -> String {
        if let record = record(session, application) {
            try await update(record.number, attributes)
            return record.id
        }
        let identifier = try extensionIdentifier(of: application)
        let record = makeRecord(session, application: application, name: name, identifier, attributes)
        do {
            _ = try await token(application, .session(record.number))
            try await keep(record.number)
            show(record)
            try await deliver(record.number)
        } catch {
            await remove(record.number)
            throw error
        }
        return record.id
    }

    func makeRecord(
        _ session: String, application: String, name: String, _ extensionIdentifier: String, _ attributes: Data
    ) -> RemoteSessionRecord {
        lastNumber += 1
        var record = RemoteSessionRecord(
            number: lastNumber, session: session, application: application, name: name,
            extensionIdentifier: extensionIdentifier)
        record.pending = attributes
        records[record.number] = record
        return record
    }

    /// Returns when the extension has taken the attributes.
    ///
    /// - Throws: ``HostError`` `no-such-session`; `invalid-argument` for attributes the extension cannot use, which are
    ///   dropped then; or why it failed: then they are kept and delivered with the next.
    package func update(_ session: String, application: String, attributes: Data) async throws {
        try await update(try known(session, application).number, attributes)
    }

    private func update(_ number: Int, _ attributes: Data) async throws {
        records[number]?.pending = attributes
        try await keep(number)
        try await deliver(number)
    }

    /// Takes the session away; nothing happens where there is none.
    package func end(_ session: String, application: String) async throws {
        guard let record = record(session, application) else { return }
        await remove(record.number)
    }

    /// Sessions of an app: identifiers of the attributes and of the media session, in the order they began.
    package func sessions(of application: String) -> [(session: String, id: String)] {
        records.values.filter { $0.application == application }.sorted { $0.number < $1.number }
            .map { ($0.session, $0.id) }
    }

    /// - Throws: ``HostError`` `no-such-session`.
    package func identifier(of session: String, application: String) throws -> String {
        try known(session, application).id
    }

    func record(_ session: String, _ application: String) -> RemoteSessionRecord? {
        records.values.first { $0.session == session && $0.application == application }
    }

    private func known(_ session: String, _ application: String) throws(HostError) -> RemoteSessionRecord {
        guard let record = record(session, application) else {
            throw HostError(.noSuchSession, "\(application) has no remote session “\(session)”.")
        }
        return record
    }

    func extensionIdentifier(of application: String) throws(HostError) -> String {
        let fitting = extensions.values.filter { $0.isUsable && $0.status.id.hasPrefix(application + ".") }
        // Of several the one that is nearest.
        guard let status = fitting.map(\.status).min(by: { ($0.id.count, $0.id) < ($1.id.count, $1.id) }) else {
            throw HostError(
                .noSuchExtension,
                "\(application) has no extension for remote sessions: none is installed whose identifier begins with "
                    + "“\(application).” and whose extension point is \(ExtensionPoint.remoteMedia.rawValue).")
        }
        return status.id
    }
}

// MARK: What surfaces ask

extension RemoteSessions {
    /// What the session shows.
    ///
    /// - Throws: ``HostError`` `no-such-session`.
    func state(of number: Int) throws(HostError) -> MediaSessionState {
        guard let record = records[number] else { throw Self.over }
        return record.shown
    }

    /// Has the extension do something, started where it does not run.
    func ask(_ call: MediaHandlerCall, session number: Int) async throws -> MediaHandlerAnswer {
        let place = try await opened(number)
        guard let identifier = records[number]?.extensionIdentifier else { throw Self.over }
        use(identifier)
        return try await runner.ask(call, at: place, on: identifier)
    }

    static let over = HostError(.noSuchSession, "That session is over.")
}
