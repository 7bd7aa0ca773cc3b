import Foundation
package import HostCore
import HostInterface
import LinkProtocol

extension ExtensionSupervisor {
    /// Returns the status of every extension in search order, followed by the unusable ones.
    package func statuses() -> [ExtensionStatus] {
        catalog.manifests.compactMap { entries[$0.identifier].map(status) } + unusable
    }

    /// The unusable extensions, identified by their folder names. A second one with the same name is identified by its
    /// path.
    var unusable: [ExtensionStatus] {
        var paths = Set(entries.keys.map(HostNames.extensionPath))
        return catalog.invalid.map { invalid in
            let name = invalid.path.split(separator: "/").last.map(String.init) ?? invalid.path
            let id = paths.insert(HostNames.extensionPath(name)).inserted ? name : invalid.path
            return ExtensionStatus(
                id: id, name: name, path: invalid.path, state: .invalidManifest, lastError: invalid.error.message)
        }
    }

    /// Notifies the reader of ``events`` if the visible status has changed.
    func report(_ identifier: String) {
        guard let entry = entries[identifier] else { return }
        let status = status(entry)
        guard status != entry.reported else { return }
        entries[identifier]?.reported = status
        push(.status(status), identifier, entry.lifecycle.generation)
    }

    private func status(_ entry: Entry) -> ExtensionStatus {
        // Never empty for those of devices: a manifest without a protocol is refused.
        let manifest = entry.manifest
        let sharing = manifest.protocols.first
        var status = ExtensionStatus(
            id: manifest.identifier, name: manifest.displayName, version: manifest.version,
            protocolIdentifier: sharing?.identifier ?? "", protocolName: sharing?.name ?? "",
            path: manifest.bundlePath, state: .init(entry.lifecycle.state),
            lastError: entry.lastError?.message, processID: entry.processID, restarts: entry.lifecycle.restarts,
            generation: entry.lifecycle.generation, confinement: entry.confinement)
        status.point = manifest.point
        if manifest.point == .remoteMedia { status.protocolName = "Now Playing" }
        status.executablePath = manifest.executablePath
        status.bonjourServices = manifest.bonjourServices
        status.announcedServices = manifest.announcedServices
        status.ssdpSearchTargets = manifest.ssdpSearchTargets
        status.requestedDomains = manifest.requestedDomains
        status.supportsSimultaneousSessions = entry.hello?.supportsSimultaneousSessions
        status.handlesRealtimeSamples = entry.hello?.handlesRealtimeSamples
        status.readsMedia = entry.hello?.readsMedia
        status.sdkVersion = entry.hello?.sdkVersion
        status.retryAt = entry.retry?.monotonic
        status.lastExit = entry.lastExit
        return status
    }

    /// Keeps the time of the next try as other processes can read it: computed once, or it would differ every time.
    func note(retryOf entry: inout Entry) {
        guard case .crashed(let retryAt) = entry.lifecycle.state else {
            entry.retry = nil
            return
        }
        guard entry.retry?.at != retryAt else { return }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let rest = (retryAt - configuration.clock.now()) / .seconds(1)
        entry.retry = (retryAt, Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 + max(0, rest))
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
