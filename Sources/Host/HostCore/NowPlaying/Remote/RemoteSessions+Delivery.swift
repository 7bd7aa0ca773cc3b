import Foundation
import HostInterface
import LinkProtocol

/// The delivery of attributes to extensions, and the storage of sessions.
extension RemoteSessions {
    /// The longest delay of storing a shown state.
    private static let storingDelay = Duration.seconds(1)

    /// Delivers the newest attributes of a session to its extension. Deliveries run one at a time, and superseded
    /// attributes are never sent.
    func deliver(_ number: Int) async throws {
        try await inTurn(number) { try await self.deliverNow(number) }
    }

    func deliverUnwatched(_ number: Int) {
        Task {
            do {
                try await deliver(number)
            } catch {
                let error = error as? HostError ?? HostError(.internalFailure, "\(error)")
                report(HostError(error.code, "A remote session cannot be brought up to date: \(error.message)"))
            }
        }
    }

    /// - Returns: The session's identifier in the running process.
    func opened(_ number: Int) async throws -> String {
        if let place = place(number) { return place }
        try await deliver(number)
        guard let place = place(number) else { throw Self.over }
        return place
    }

    func place(_ number: Int) -> String? {
        records[number].flatMap { extensions[$0.extensionIdentifier]?.places[number] }
    }

    private func inTurn(_ number: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let earlier = work[number]
        let task = Task {
            _ = await earlier?.result
            try await body()
        }
        work[number] = task
        defer { if work[number] == task { work[number] = nil } }
        try await task.value
    }

    private func deliverNow(_ number: Int) async throws {
        guard let record = records[number], let attributes = record.newestAttributes else { return }
        let identifier = record.extensionIdentifier
        let isOpen = place(number) != nil
        if isOpen, record.pending == nil { return }
        try await hold(identifier)
        do {
            if isOpen {
                _ = try await runner.perform(.update(session: record.session, attributes: attributes), on: identifier)
            } else {
                let token = try await token(record.application, .session(number))
                let place = try await runner.perform(
                    .open(session: record.session, attributes: attributes, token: token), on: identifier)
                guard records[number] != nil else {
                    _ = try? await runner.perform(.close(session: record.session), on: identifier)
                    return
                }
                extensions[identifier]?.places[number] = place
            }
        } catch let error as HostError where error.code == .invalidArgument {
            // They will never do; those of before still hold.
            if records[number]?.pending == attributes { records[number]?.pending = nil }
            if records[number]?.attributes != nil { try? await keep(number) }
            throw error
        }
        guard records[number] != nil else { return }
        records[number]?.attributes = attributes
        // Attributes that arrived meanwhile get a delivery of their own.
        if records[number]?.pending == attributes { records[number]?.pending = nil }
        try await keep(number)
    }

    func show(_ record: RemoteSessionRecord) {
        var session = NowPlayingSession(
            id: record.id, kind: .remote, owner: record.id, application: record.application, name: record.name,
            state: MediaSessionState())
        session.show(record.state(clockOffset: clockOffset()))
        nowPlaying.register(session, RemoteSessionPort(sessions: self, number: record.number))
    }

    func remove(_ number: Int) async {
        guard let record = records.removeValue(forKey: number) else { return }
        storing.removeValue(forKey: number)?.cancel()
        nowPlaying.withdraw(record.id)
        let isOpen = extensions[record.extensionIdentifier]?.places.removeValue(forKey: number) != nil
        do {
            // A broker may deliver a push again that began it.
            if let timestamp = record.pushTimestamp { try await remember(record, endedAt: timestamp) }
            try await retireToken(record.application, .session(number))
            try await store.dropRemoteSession(number: number)
        } catch {
            report(HostError(.storageFailed, "Couldn't save the end of the remote session: \(error)"))
        }
        if isOpen {
            _ = try? await runner.perform(.close(session: record.session), on: record.extensionIdentifier)
        }
    }

    // MARK: Storing

    func keep(_ number: Int) async throws {
        guard let record = records[number] else { return }
        do {
            try await store.keep(record)
        } catch {
            throw HostError(.storageFailed, "Remote session “\(record.session)” cannot be stored: \(error)")
        }
    }

    /// Stores the shown state soon. It changes often, and a loss does no harm because the extension shows it again.
    func storeSoon(_ number: Int) {
        guard storing[number] == nil else { return }
        let wasCurrent = records[number]?.isCurrent ?? false
        records[number]?.isCurrent = false
        storing[number] = Task { [weak self, clock] in
            // Stored at once: a daemon that restarts in between must request the content.
            if wasCurrent { try? await self?.keep(number) }
            guard (try? await clock.sleep(for: Self.storingDelay)) != nil else { return }
            await self?.storeNow(number)
        }
    }

    private func storeNow(_ number: Int) async {
        storing[number] = nil
        records[number]?.isCurrent = true
        try? await keep(number)
    }
}
