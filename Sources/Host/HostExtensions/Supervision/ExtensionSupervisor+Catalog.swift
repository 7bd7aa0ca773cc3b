import HostCore
import HostInterface

/// The installed extensions, and their changes.
extension ExtensionSupervisor {
    /// Applies a new search result: adds new extensions, ends missing ones, and restarts changed ones.
    package func update(_ found: ExtensionCatalog) {
        guard !isShutDown, found != catalog else { return }
        let before = unusable
        catalog = found
        for identifier in entries.keys where found[identifier] == nil { remove(identifier) }
        for status in before where !unusable.contains(where: { $0.id == status.id }) { push(.removed, status.id, 0) }
        for manifest in found.manifests {
            let identifier = manifest.identifier
            if let known = entries[identifier]?.manifest {
                guard known != manifest else { continue }
                entries[identifier]?.manifest = manifest
                restart(identifier)
            } else {
                entries[identifier] = Entry(
                    manifest: manifest,
                    lifecycle: ExtensionLifecycle(
                        policy: configuration.policy, isEnabled: !disabled.contains(identifier),
                        after: lastGenerations.removeValue(forKey: identifier) ?? 0))
                report(identifier)
            }
        }
        for status in unusable where !before.contains(status) { push(.status(status), status.id, 0) }
    }

    /// Begins to apply additions, replacements and removals of bundles automatically.
    package func followFolders() { followFolders(policy: .init()) }

    func followFolders(policy: ChangeSettling.Policy) {
        guard following == nil, !isShutDown else { return }
        let follower = FolderFollower(folders: configuration.folders, policy: policy, logger: logger)
        following = Task { [weak self] in
            await follower.run(
                known: { [weak self] in await self?.catalog ?? ExtensionCatalog(manifests: []) },
                found: { [weak self] catalog in await self?.update(catalog) })
        }
    }

    /// Ends the process and launches a new one if needed, forgets crashes, and lifts a quarantine.
    func restart(_ identifier: String) {
        entries[identifier]?.lastError = nil
        change(identifier) { $0.reset(at: $1) }
    }

    private func remove(_ identifier: String) {
        guard var entry = entries.removeValue(forKey: identifier) else { return }
        lastGenerations[identifier] = entry.lifecycle.generation
        entry.timer?.cancel()
        fail(&entry, HostError(.extensionUnusable, "\(entry.manifest.displayName) is no longer installed."))
        entry.observers.forEach { $0.resume() }
        if let process = entry.process {
            leave(process)
            push(.stopped, identifier, entry.lifecycle.generation)
        }
        logs.remove(identifier)
        push(.removed, identifier, entry.lifecycle.generation)
    }
}
