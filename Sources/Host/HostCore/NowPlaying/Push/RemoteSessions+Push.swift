package import Foundation
package import HostInterface
import LinkProtocol
import PushInterface

/// News about pushes and tokens.
package enum PushNews: Sendable, Hashable {
    /// The newest that were accepted and could not be applied, oldest first.
    case failures([PushFailure])
    /// The app's sessions are started by this token from now on.
    case startToken(application: String, Data)
}

/// Pushes of servers, and the tokens they are sent to.
extension RemoteSessions {
    /// The number of stored failures.
    private static let failureLimit = 20

    /// Returns the token with which servers start an app's sessions.
    ///
    /// - Throws: ``HostError`` `storage-failed`.
    package func pushToStartToken(of application: String) async throws -> Data {
        try await token(application, .start)
    }

    /// Replaces all tokens of an app. Senders to the old ones learn that they are no longer valid.
    ///
    /// - Throws: ``HostError`` `storage-failed`.
    package func rotateTokens(of application: String) async throws {
        try await retireToken(application, .start)
        _ = try await token(application, .start)
        for record in records.values where record.application == application {
            try await retireToken(application, .session(record.number))
            let token = try await token(application, .session(record.number))
            if place(record.number) != nil {
                _ = try? await runner.perform(
                    .setToken(session: record.session, token), on: record.extensionIdentifier)
            }
        }
    }

    /// Processes a push of a server. An accepted push is stored when this returns, and applied afterwards.
    ///
    /// - Parameters:
    ///   - topic: The `apns-topic` of the request.
    ///   - identifier: The `apns-id` of the request.
    /// - Throws: ``HostError`` `storage-failed`, or `no-such-extension` if no extension can represent a new session.
    package func push(
        to value: Data, topic: String, identifier: String, payload: Data
    ) async throws -> PushOutcome {
        guard let token = tokens[value] else { return .badToken }
        if let retired = token.retired { return .unregistered(since: retired) }
        guard topic == PushToken.topic(of: token.application) else { return .wrongTopic }
        let content: PushPayload
        do throws(PushPayload.Malformed) {
            content = try PushPayload(payload)
        } catch {
            note(identifier, token.application, error.reason)
            return .badPayload(error.reason)
        }
        let outcome: PushOutcome
        switch (token.purpose, content.event) {
        case (.start, .start): outcome = try await start(content, token.application, identifier)
        case (.session(let number), .update): outcome = try await update(number, content, identifier)
        case (.session(let number), .end): outcome = try await end(number, content)
        case (.start, _): outcome = .badPayload("Only start goes to this token; a session has its own.")
        case (.session, _): outcome = .badPayload("Only update and end go to this token.")
        }
        if case .badPayload(let reason) = outcome { note(identifier, token.application, reason) }
        return outcome
    }

    private func start(
        _ content: PushPayload, _ application: String, _ identifier: String
    ) async throws -> PushOutcome {
        if let record = record(content.session, application) {
            return try await update(record.number, content, identifier)
        }
        // A late start must not bring back a session that was ended after it.
        guard ended[EndedSession(application: application, session: content.session)] ?? -1 < content.timestamp else {
            return .superseded
        }
        let extensionIdentifier = try extensionIdentifier(of: application)
        let name = extensions[extensionIdentifier]?.status.name ?? application
        let number = makeRecord(
            content.session, application: application, name: name, extensionIdentifier, content.attributes
        ).number
        records[number]?.pushOrder.take(content.timestamp, identifier)
        do {
            _ = try await token(application, .session(number))
            try await keep(number)
        } catch {
            await discard(number)
            throw error
        }
        if let record = records[number] { show(record) }
        apply(number, identifier)
        return .accepted
    }

    private func update(_ number: Int, _ content: PushPayload, _ identifier: String) async throws -> PushOutcome {
        guard let record = records[number] else { return .unregistered(since: now) }
        guard record.session == content.session else {
            return .badPayload("“aps.attributes.id” is not that of the session this token was given for.")
        }
        // Of two pushes with the same second the later arrival counts, unless it has no news.
        guard record.pushOrder.isNew(content.timestamp, identifier) else { return .superseded }
        if record.pushTimestamp == content.timestamp, record.newestAttributes == content.attributes {
            return .superseded
        }
        records[number]?.pending = content.attributes
        records[number]?.pushOrder.take(content.timestamp, identifier)
        try await keep(number)
        apply(number, identifier)
        return .accepted
    }

    private func end(_ number: Int, _ content: PushPayload) async throws -> PushOutcome {
        guard let record = records[number] else { return .unregistered(since: now) }
        guard record.session == content.session else {
            return .badPayload("“aps.attributes.id” is not that of the session this token was given for.")
        }
        if let last = record.pushTimestamp, content.timestamp < last { return .superseded }
        // Store before ending: an accepted push must survive a restart.
        try await remember(record, endedAt: content.timestamp)
        await remove(number)
        return .accepted
    }

    /// No push that is as old brings the session back.
    func remember(_ record: RemoteSessionRecord, endedAt timestamp: Int64) async throws {
        let session = EndedSession(application: record.application, session: record.session)
        guard ended[session] ?? -1 < timestamp else { return }
        ended[session] = timestamp
        let oldest = timestamp - PushTokenBook.memory
        ended = ended.filter { $0.value >= oldest }
        try await store.keep(session, endedAt: timestamp, forgettingBefore: oldest)
    }

    /// Removes a session that couldn't be started, so that its push can be repeated.
    private func discard(_ number: Int) async {
        records[number]?.pushOrder = PushOrder()
        await remove(number)
    }

    /// Delivers a push to the extension without a waiting caller.
    private func apply(_ number: Int, _ identifier: String) {
        let application = records[number]?.application ?? ""
        Task {
            do {
                try await deliver(number)
            } catch {
                let message = (error as? HostError)?.message ?? "\(error)"
                note(identifier, application, message)
                // A session that the extension never created doesn't exist.
                if records[number]?.attributes == nil, (error as? HostError)?.code == .invalidArgument {
                    await discard(number)
                }
            }
        }
    }

    func note(_ identifier: String, _ application: String, _ message: String) {
        report(HostError(.commandFailed, "Push \(identifier) to \(application) cannot be applied: \(message)"))
        failures.append(
            PushFailure(
                time: Date().timeIntervalSince1970, identifier: identifier, application: application,
                message: message))
        failures.removeFirst(max(0, failures.count - Self.failureLimit))
        pushNewsFeed.yield(.failures(failures))
    }

    // MARK: Tokens

    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Returns the valid token, and creates it if necessary.
    func token(_ application: String, _ purpose: PushToken.Purpose) async throws -> Data {
        if let token = tokens.current(application, purpose) { return token.value }
        let token = PushToken.make(application, purpose)
        tokens.add(token)
        try await storeToken(token)
        if purpose == .start { pushNewsFeed.yield(.startToken(application: application, token.value)) }
        return token.value
    }

    func retireToken(_ application: String, _ purpose: PushToken.Purpose) async throws {
        for token in tokens.retire(application, purpose, at: now) { try await storeToken(token) }
    }

    /// Returns a stream that yields at once, and whenever the registrations change. Only the last stream is active.
    package func tokenChanges() -> AsyncStream<Void> {
        tokenFeed?.finish()
        let (stream, feed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        tokenFeed = feed
        feed.yield()
        return stream
    }

    private func storeToken(_ token: PushToken) async throws {
        do {
            try await store.keep(token)
        } catch {
            throw HostError(.storageFailed, "A push token cannot be stored: \(error)")
        }
        tokenFeed?.yield()
    }
}
