import HostCore
import HostInterface

/// What a person wants of one extension.
extension ExtensionSupervisor {
    /// Switches the extension off, and waits for the end of its process, or on; also for when it is installed anew.
    package func setEnabled(_ isEnabled: Bool, _ identifier: String) async throws(HostError) {
        guard entries[identifier] != nil else { throw Self.unknown(identifier) }
        if isEnabled { disabled.remove(identifier) } else { disabled.insert(identifier) }
        change(identifier) { lifecycle, _ in lifecycle.setEnabled(isEnabled) }
        if !isEnabled { await settle(identifier) }
    }

    /// Ends what runs, reads the manifest again and launches it afresh where it is needed; forgets crashes and lifts a
    /// quarantine. One that could not be used gets its own name once it can.
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
                throw HostError(.extensionUnusable, error ?? "\(path) is not there any more.")
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

    /// What its process takes now; `nil` while none runs.
    package func usage(of identifier: String) async throws(HostError) -> ProcessUsage? {
        guard let entry = entries[identifier] else {
            _ = try status(of: identifier)
            return nil
        }
        return await entry.process?.usage()
    }

    /// The newest lines of its log, of earlier processes too.
    package func log(of identifier: String, last count: Int) throws(HostError) -> [ExtensionLogLine] {
        _ = try status(of: identifier)
        return logs.last(count, of: identifier)
    }

    /// The lines behind the one numbered `sequence`.
    package func log(of identifier: String, after sequence: UInt64, count: Int) -> ExtensionLogBatch {
        logs.lines(after: sequence, count: count, of: identifier)
    }

    /// Yields when lines came; ends when it is not installed any more.
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
