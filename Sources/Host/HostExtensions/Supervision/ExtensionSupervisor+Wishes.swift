package import HostCore
package import HostInterface

/// The user's requests for one extension.
extension ExtensionSupervisor {
    /// Enables the extension, or disables it and waits for the end of its process. The setting survives a
    /// reinstallation.
    package func setEnabled(_ isEnabled: Bool, _ identifier: String) async throws(HostError) {
        guard entries[identifier] != nil else { throw Self.unknown(identifier) }
        if isEnabled { disabled.remove(identifier) } else { disabled.insert(identifier) }
        change(identifier) { lifecycle, _ in lifecycle.setEnabled(isEnabled) }
        if !isEnabled { await settle(identifier) }
    }

    /// Ends the process, reads the manifest again and launches the extension if needed. This forgets crashes and lifts
    /// a quarantine. An unusable extension gets its own name once it is usable.
    package func reload(_ identifier: String) async throws(HostError) {
        let path = try status(of: identifier).path
        var wanted = identifier
        let folders = configuration.folders()
        if !folders.isEmpty {
            let found = await ExtensionCatalog.search(folders)
            let before = entries[identifier]?.manifest
            update(catalog.replacing(path, from: found))
            guard let now = catalog.manifests.first(where: { $0.bundlePath == path }) else {
                let error = catalog.invalid.first { $0.path == path }?.error.message
                throw HostError(.extensionUnusable, error ?? "\(path) no longer exists.")
            }
            wanted = now.identifier
            if before == now { restart(wanted) }
        } else {
            restart(wanted)
        }
        await settle(wanted)
        let status = try status(of: wanted)
        switch status.state {
        case .crashed, .quarantined, .loadFailed:
            throw entries[wanted]?.lastError ?? HostError(.extensionCrashed, "\(status.name) ended at once.")
        case .idle, .starting, .running, .invalidManifest, .disabled: return
        }
    }

    package func mark(_ ticket: Int) { push(.marked(ticket), "", 0) }

    /// Returns the current usage of the extension's process; `nil` if it isn't running.
    package func usage(of identifier: String) async throws(HostError) -> ProcessUsage? {
        guard let entry = entries[identifier] else {
            _ = try status(of: identifier)
            return nil
        }
        return await entry.process?.usage()
    }

    /// Returns the newest lines of the extension's log, including earlier processes.
    package func log(of identifier: String, last count: Int) throws(HostError) -> [ExtensionLogLine] {
        _ = try status(of: identifier)
        return logs.last(count, of: identifier)
    }

    /// Returns the lines after the line number `sequence`.
    package func log(of identifier: String, after sequence: UInt64, count: Int) -> ExtensionLogBatch {
        logs.lines(after: sequence, count: count, of: identifier)
    }

    /// Returns a stream that yields when new lines arrive, and ends when the extension is no longer installed.
    package func logNews(of identifier: String) throws(HostError) -> AsyncStream<Void> {
        _ = try status(of: identifier)
        return logs.news(of: identifier)
    }

    private func status(of identifier: String) throws(HostError) -> ExtensionStatus {
        guard let status = statuses().first(where: { $0.id == identifier }) else { throw Self.unknown(identifier) }
        return status
    }

    /// Returns once no process of the extension is about to come or to go.
    private func settle(_ identifier: String) async {
        while entries[identifier]?.lifecycle.isChanging == true {
            await withCheckedContinuation { entries[identifier]?.observers.append($0) }
        }
    }
}
