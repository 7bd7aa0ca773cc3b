import HostInterface
import LinkProtocol

/// The need for an extension to run for discovery.
struct DiscoveryNeed {
    let ticket: Int
    /// A Boolean value that indicates whether the runner knows of it. Before, only the task that tells the runner may
    /// withdraw it.
    var isTold = false
}

extension MediaHost {
    /// The need of an extension that only looks for devices; it isn't in use.
    package static let discoveryReason = "discovery"

    /// Enables or disables an extension permanently. When disabled, its process, its playback and its devices end.
    ///
    /// - Throws: ``HostError`` `no-such-extension`, `extension-unusable` or `storage-failed`.
    package func setExtension(_ identifier: String, isEnabled: Bool) async throws {
        let status = try installed(identifier)
        guard status.state != .invalidManifest else {
            throw HostError(.extensionUnusable, status.lastError ?? "\(status.name) cannot be used.")
        }
        do {
            try await store.setExtension(identifier, isEnabled: isEnabled)
        } catch {
            throw HostError(.storageFailed, "Whether \(status.name) is switched on cannot be stored: \(error)")
        }
        try await runner.setEnabled(isEnabled, identifier)
        await hearOut()
    }

    /// Replaces an extension's process, with its current program and manifest.
    ///
    /// - Throws: ``HostError`` `no-such-extension`, `extension-unusable` or `extension-crashed`.
    package func reloadExtension(_ identifier: String) async throws {
        _ = try installed(identifier)
        do {
            try await runner.reload(identifier)
        } catch {
            await hearOut()
            throw error
        }
        await hearOut()
    }

    /// Returns the resource usage of an extension's process; `nil` if none runs.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    package func usage(ofExtension identifier: String) async throws -> ProcessUsage? {
        try await runner.usage(of: identifier)
    }

    /// Returns the newest lines of the extension's log, oldest first.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    package func log(ofExtension identifier: String, last count: Int) async throws -> [ExtensionLogLine] {
        try await runner.log(of: identifier, last: count)
    }

    /// Returns the lines of an extension's log after the number `sequence`, at most `count`.
    package func log(ofExtension identifier: String, after sequence: UInt64, count: Int) async -> ExtensionLogBatch {
        await runner.log(of: identifier, after: sequence, count: count)
    }

    /// Returns a stream that yields when lines arrive, and finishes when the extension is removed.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    package func logNews(ofExtension identifier: String) async throws -> AsyncStream<Void> {
        try await runner.logNews(of: identifier)
    }

    /// All installed extensions, usable or not.
    package var extensions: [ExtensionStatus] { Array(statuses.values) }

    /// Returns when all earlier events of extensions have been applied, so that a request's effect is visible to its
    /// sender.
    func hearOut() async {
        lastTicket += 1
        let ticket = lastTicket
        try? await marks.outcome(
            ticket, within: .seconds(5), clock: clock, late: HostError(.timedOut, "The extensions' news are late.")
        ) { [runner] in await runner.mark(ticket) }
    }

    private func installed(_ identifier: String) throws(HostError) -> ExtensionStatus {
        guard let status = statuses[identifier] else {
            throw HostError(.noSuchExtension, "There is no extension “\(identifier)”.")
        }
        return status
    }

    /// Processes a new or changed extension.
    func take(_ status: ExtensionStatus) {
        let wasDisabled = statuses[status.id]?.state == .disabled
        if status.canFindDevices, statuses[status.id]?.canRun != true { lookIsIncomplete() }
        statuses[status.id] = status
        outbox.yield(.extensionStatus(status))
        if status.state == .disabled, !wasDisabled {
            withdraw(
                status.id, error: HostError(.extensionDisabled, "The extension \(status.name) was switched off."))
        }
        if isLooking, status.canFindDevices, discovering[status.id] == nil {
            Task { await beginDiscovery(by: status.id, look: looks) }
        }
    }

    /// Removes an extension that is no longer installed.
    func extensionRemoved(_ identifier: String) {
        guard let status = statuses.removeValue(forKey: identifier) else { return }
        running[identifier] = nil
        discovering[identifier] = nil
        problems[identifier] = nil
        services.endAll(of: identifier)
        withdraw(
            identifier, error: HostError(.extensionUnusable, "The extension \(status.name) is no longer installed."))
        outbox.yield(.extensionRemoved(id: identifier))
        Task { await forgetDevicesOfMissingExtensions() }
    }

    /// Removes the stored devices of missing extensions, which can't be used.
    func forgetDevicesOfMissingExtensions() async {
        sightings.forgetStored()
        do {
            try await store.forgetCachedDevices(exceptOf: Set(statuses.keys))
        } catch {
            report(HostError(.storageFailed, "Couldn't forget the devices of a removed extension: \(error)"))
        }
    }

    /// Its process ended because it was asked to.
    func extensionStopped(_ identifier: String) {
        // With devices in use only a person ends it: to load it afresh, or to switch it off.
        let name = statuses[identifier]?.name ?? identifier
        extensionDied(identifier, HostError(.extensionCrashed, "The extension \(name) was ended."))
    }

    private func withdraw(_ identifier: String, error: HostError) {
        launches.fail(identifier, with: error)
        for route in routes.values where route.extensionIdentifier == identifier {
            outcomes.fail(route.activation, with: error)
            if activations[route.deviceID] == nil, !groups.isFollower(route.deviceID) {
                beginClosing(route.deviceID, .ended(error))
            }
        }
        for device in registry.all where device.extensionIdentifier == identifier { lost(device.id, from: identifier) }
    }

    /// Starts the discovery of an extension, until ``endDiscovery()``.
    ///
    /// - Parameter look: The value of ``looks`` at the time of the decision.
    func beginDiscovery(by identifier: String, look: Int) async {
        guard look == looks, discovering[identifier] == nil else { return }
        lastTicket += 1
        let ticket = lastTicket
        discovering[identifier] = DiscoveryNeed(ticket: ticket)
        if running[identifier] != nil { perform(.startDeviceDiscovery, on: identifier) }
        await runner.acquire(identifier, reason: Self.discoveryReason)
        if discovering[identifier]?.ticket == ticket {
            discovering[identifier]?.isTold = true
        } else {
            await runner.release(identifier, reason: Self.discoveryReason)
        }
    }

    func endDiscovery() async {
        let needs = discovering
        discovering = [:]
        for identifier in Array(running.keys) where !isSearching(identifier) {
            perform(.stopDeviceDiscovery, on: identifier)
        }
        for (identifier, need) in needs where need.isTold {
            await runner.release(identifier, reason: Self.discoveryReason)
        }
    }
}

extension ExtensionStatus {
    /// A Boolean value that indicates whether the host may start its process.
    var canRun: Bool {
        switch state {
        case .idle, .starting, .running, .crashed: true
        case .quarantined, .loadFailed, .invalidManifest, .disabled: false
        }
    }

    /// A Boolean value that indicates whether the extension can discover devices.
    var canFindDevices: Bool { canRun && point == .mediaDevice }
}
