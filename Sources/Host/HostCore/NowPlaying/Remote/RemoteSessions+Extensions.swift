import HostInterface
import LinkProtocol

/// The events of extensions for remote sessions, and the time for which they are kept running.
extension RemoteSessions {
    private static let reason = "remote-sessions"

    /// Handles an event of an extension of ``ExtensionPoint/remoteMedia``.
    package func take(_ supervised: SupervisedEvent) {
        let identifier = supervised.identifier
        switch supervised.event {
        case .status(let status): statusChanged(status)
        case .removed: removed(identifier)
        case .started:
            extensions[identifier]?.generation = supervised.generation
            launches.fulfil(identifier, with: ())
            reopen(identifier)
        case .crashed(let error):
            launches.fail(identifier, with: error)
            extensions[identifier]?.processEnded()
        case .stopped: extensions[identifier]?.processEnded()
        case .message(.mediaSessionChanged(let session, let state)):
            guard extensions[identifier]?.generation == supervised.generation else { return }
            changed(session, state, by: identifier)
        case .message, .marked: break
        }
    }

    /// Returns a Boolean value that indicates whether a session's extension is installed and enabled.
    func isRepresented(_ record: RemoteSessionRecord) -> Bool {
        extensions[record.extensionIdentifier]?.isUsable ?? false
    }

    func statusChanged(_ status: ExtensionStatus) {
        let wasUsable = extensions[status.id]?.isUsable ?? false
        extensions[status.id, default: RemoteExtension(status: status)].status = status
        if !status.canRun {
            launches.fail(status.id, with: Self.unusable(status))
        }
        guard let isUsable = extensions[status.id]?.isUsable, isUsable != wasUsable else { return }
        for record in records.values where record.extensionIdentifier == status.id {
            if isUsable { show(record) } else { nowPlaying.withdraw(record.id) }
        }
    }

    /// Removes an extension that is no longer installed, and its sessions.
    private func removed(_ identifier: String) {
        extensions[identifier]?.idle?.cancel()
        extensions[identifier] = nil
        for record in records.values where record.extensionIdentifier == identifier {
            Task { await remove(record.number) }
        }
    }

    private func changed(_ session: String, _ state: MediaSessionState, by identifier: String) {
        guard
            let number = records.values.first(where: {
                $0.session == session && $0.extensionIdentifier == identifier
            })?.number
        else { return }
        use(identifier)
        records[number]?.show(state, clockOffset: clockOffset())
        nowPlaying.update("remote\(number)", state)
        storeSoon(number)
    }

    /// Restores the sessions of an earlier process in the new one, whose models may observe something.
    private func reopen(_ identifier: String) {
        for number in extensions[identifier]?.takeLeft() ?? [] { deliverUnwatched(number) }
    }

    /// Restarts the idle time of an extension.
    func use(_ identifier: String) {
        extensions[identifier]?.idle?.cancel()
        extensions[identifier]?.idle = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            await self?.letGo(identifier)
        }
    }

    private func letGo(_ identifier: String) async {
        guard extensions[identifier]?.isHeld == true, !Task.isCancelled else { return }
        extensions[identifier]?.letGo()
        await runner.release(identifier, reason: Self.reason)
    }

    /// Returns when the extension runs, and keeps it running until it has been idle for ``patience``.
    func hold(_ identifier: String) async throws {
        use(identifier)
        guard let known = extensions[identifier] else {
            throw HostError(.noSuchExtension, "The extension \(identifier) is no longer installed.")
        }
        guard known.status.canRun else { throw Self.unusable(known.status) }
        try await launches.outcome(
            identifier, within: Self.launchLimit, clock: clock,
            late: HostError(.timedOut, "\(known.status.name) was not launched in time.")
        ) { [weak self] in
            // With a waiter in place, its launch can't be missed.
            await self?.beginHolding(identifier)
        }
    }

    private static func unusable(_ status: ExtensionStatus) -> HostError {
        HostError(.extensionUnusable, status.lastError ?? "\(status.name) cannot be used.")
    }

    private func beginHolding(_ identifier: String) async {
        if extensions[identifier]?.isHeld == false {
            extensions[identifier]?.isHeld = true
            await runner.acquire(identifier, reason: Self.reason)
        }
        if extensions[identifier]?.generation != nil { launches.fulfil(identifier, with: ()) }
    }
}
