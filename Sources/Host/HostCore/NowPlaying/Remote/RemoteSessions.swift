package import Foundation
package import HostInterface

/// All remote sessions, with the messages of apps and servers and the extensions that represent them.
///
/// An extension runs while one of its sessions is created, updated or commanded, and for a while afterwards. Its
/// sessions remain visible without it.
package actor RemoteSessions {
    /// The time for which an idle extension keeps running.
    package static let patience = Duration.seconds(60)
    /// The time limit for the launch of an extension.
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
    /// The results of pushes without a caller, and replaced tokens, for one reader.
    package nonisolated let pushNews: AsyncStream<PushNews>
    let pushNewsFeed: AsyncStream<PushNews>.Continuation
    var tokenFeed: AsyncStream<Void>.Continuation?
    var extensions: [String: RemoteExtension] = [:]
    /// The last task of each session, which the next one follows.
    var work: [Int: Task<Void, any Error>] = [:]
    var storing: [Int: Task<Void, Never>] = [:]

    /// Creates the sessions.
    ///
    /// - Parameters:
    ///   - clockOffset: A function that returns `CLOCK_MONOTONIC` minus the time since 1970, in seconds.
    ///   - report: A function that receives errors without a caller.
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

    /// Restores the sessions of an earlier daemon. Call it once, before anything else.
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
                // Deliver attributes that were accepted but not delivered, and request the content that was shown last.
                if record.pending != nil || !record.isCurrent { deliverUnwatched(record.number) }
            }
        } catch {
            report(HostError(.storageFailed, "The remote sessions of before cannot be read: \(error)"))
        }
    }

    package var isEmpty: Bool { records.isEmpty }

    // MARK: Requests of apps

    /// Starts a session, or updates the one with the same identifier, and returns when the extension has accepted it.
    ///
    /// - Returns: The identifier of the media session.
    /// - Throws: ``HostError`` `no-such-extension` if the app has no extension for remote sessions, `invalid-argument`
    ///   for attributes that the extension can't use, or the extension's error. A new session is removed then.
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

    /// Updates a session, and returns when the extension has accepted the attributes.
    ///
    /// - Throws: ``HostError`` `no-such-session`; `invalid-argument` for attributes that the extension can't use, which
    ///   are dropped; or another error, after which they are stored and delivered with the next.
    package func update(_ session: String, application: String, attributes: Data) async throws {
        try await update(try known(session, application).number, attributes)
    }

    private func update(_ number: Int, _ attributes: Data) async throws {
        records[number]?.pending = attributes
        try await keep(number)
        try await deliver(number)
    }

    /// Ends a session; no effect if there is none.
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
        // If several fit, the one with the shortest identifier is the nearest.
        guard let status = fitting.map(\.status).min(by: { ($0.id.count, $0.id) < ($1.id.count, $1.id) }) else {
            throw HostError(
                .noSuchExtension,
                "\(application) has no extension for remote sessions: none is installed whose identifier begins with "
                    + "“\(application).” and whose extension point is \(ExtensionPoint.remoteMedia.rawValue).")
        }
        return status.id
    }
}

// MARK: Requests of surfaces

extension RemoteSessions {
    /// Returns the state of a session.
    ///
    /// - Throws: ``HostError`` `no-such-session`.
    func state(of number: Int) throws(HostError) -> MediaSessionState {
        guard let record = records[number] else { throw Self.over }
        return record.shown
    }

    /// Calls a session's extension, which is started if necessary.
    func ask(_ call: MediaHandlerCall, session number: Int) async throws -> MediaHandlerAnswer {
        let place = try await opened(number)
        guard let identifier = records[number]?.extensionIdentifier else { throw Self.over }
        use(identifier)
        return try await runner.ask(call, at: place, on: identifier)
    }

    static let over = HostError(.noSuchSession, "The session has ended.")
}
