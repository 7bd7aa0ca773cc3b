import HostCore
import HostInterface

extension ExtensionSupervisor {
    /// Every extension in search order, then what cannot be used.
    package func statuses() -> [ExtensionStatus] {
        let invalid = catalog.invalid.map { invalid in
            let name = invalid.path.split(separator: "/").last.map(String.init) ?? invalid.path
            return ExtensionStatus(
                id: name, name: name, path: invalid.path, state: .invalidManifest, lastError: invalid.error.message)
        }
        return catalog.manifests.compactMap { entries[$0.identifier].map(status) } + invalid
    }

    /// Tells the reader of ``events`` if what a person may see has changed.
    func report(_ identifier: String) {
        guard let entry = entries[identifier] else { return }
        let status = status(entry)
        guard status != entry.reported else { return }
        entries[identifier]?.reported = status
        push(.status(status), identifier, entry.lifecycle.generation)
    }

    private func status(_ entry: Entry) -> ExtensionStatus {
        // The list is never empty: a manifest without a protocol is refused.
        let sharing = entry.manifest.protocols.first
        return ExtensionStatus(
            id: entry.manifest.identifier, name: entry.manifest.displayName, version: entry.manifest.version,
            protocolIdentifier: sharing?.identifier ?? "", protocolName: sharing?.name ?? "",
            path: entry.manifest.bundlePath, state: .init(entry.lifecycle.state),
            lastError: entry.lastError?.message, processID: entry.processID, restarts: entry.lifecycle.restarts,
            generation: entry.lifecycle.generation, confinement: entry.confinement)
    }
}

extension ExtensionStatus.State {
    init(_ state: ExtensionLifecycle.State) {
        self =
            switch state {
            case .idle: .idle
            case .starting: .starting
            case .running, .stopping: .running
            case .crashed: .crashed
            case .quarantined: .quarantined
            case .loadFailed: .loadFailed
            case .disabled: .disabled
            }
    }
}
