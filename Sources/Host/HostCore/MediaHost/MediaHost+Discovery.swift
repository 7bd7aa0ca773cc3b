import Foundation
import HostInterface
import LinkProtocol

extension MediaHost {
    /// Takes a lease: starts discovery unless it is running, and checks the listed devices.
    ///
    /// Known devices of this network are published before it returns.
    package func takeLease(_ id: String) async {
        guard leases.take(id) else { return }
        guard !isLooking else {
            lingering?.cancel()
            lingering = nil
            // The others are asked anyway until they answer.
            check(registry.all.filter { $0.availability != .remembered }.map(\.id), for: id)
            leases.list(id)
            return tellLeases([id])
        }
        isLooking = true
        let look = looks
        searchManual()
        problems = [:]
        bluetoothReach.renew()
        settle(after: settlingTime)
        check(registry.all.map(\.id), for: id)
        for status in await runner.statuses() where status.canFindDevices {
            guard look == looks else { return }
            await beginDiscovery(by: status.id, look: look)
        }
        guard look == looks else { return }
        await publishRememberedDevices(for: id)
        guard leases.contains(id) else { return }
        leases.list(id)
        tellLeases([id])
    }

    /// Ends a lease. Some time after the last one, discovery stops, and listed devices are only remembered.
    package func endLease(_ id: String) async {
        guard leases.end(id) else { return }
        tellLeases([id])
        guard leases.isEmpty else { return }
        guard timing.lingering > .zero else { return await endLook() }
        lingering?.cancel()
        lingering = Task { [clock, timing] in
            guard (try? await clock.sleep(for: timing.lingering)) != nil, !Task.isCancelled else { return }
            lingering = nil
            await endLook()
        }
    }

    private func endLook() async {
        looks += 1
        isLooking = false
        confirmation?.cancel()
        settling?.cancel()
        isSettled = false
        endChecks()
        bluetoothReach.endLook {
            Task { [clock, timing] in
                guard (try? await clock.sleep(for: timing.freshness)) != nil, !Task.isCancelled else { return }
                bluetoothReach.expire()
            }
        }
        await endDiscovery()
    }

    private func publishRememberedDevices(for lease: String) async {
        await listRememberedDevices()
        guard isLooking else { return }
        // Some may have been listed by another reading of the memory meanwhile.
        let unasked = registry.all.filter { $0.availability == .checking && !checks.isChecking($0.id) }
        if isSettled { endUnconfirmed() } else { check(unasked.map(\.id), for: lease) }
        withdrawUnconfirmedLater()
    }

    /// Lists the devices that were seen in this network before.
    func listRememberedDevices() async {
        do {
            for cached in try await store.cachedDevices(network: await network()) {
                guard registry[cached.description.id] == nil, let status = statuses[cached.extensionIdentifier],
                    status.state != .disabled
                else { continue }
                var device = recalled(cached.description, cached.extensionIdentifier)
                if isLooking { device.availability = .checking }
                personalise(&device)
                list(device)
            }
        } catch {
            report(HostError(.storageFailed, "Remembered devices cannot be read: \(error)"))
        }
    }

    func withdrawUnconfirmedLater() {
        confirmation?.cancel()
        confirmation = Task { [clock, timing] in
            // It may have been cancelled when it was awake already.
            guard (try? await clock.sleep(for: timing.confirmation)) != nil, !Task.isCancelled else { return }
            withdrawUnconfirmed()
        }
    }

    /// There may be more devices than were found so far.
    func lookIsIncomplete() {
        settling?.cancel()
        isSettled = false
        if isLooking { settle(after: settlingTime) }
    }

    /// Extends the discovery for another extension that starts.
    func lookHasBegun() {
        if isLooking, !isSettled { settle(after: settlingTime) }
    }

    /// A Boolean value that indicates whether an extension is about to discover. A process can take seconds to load on
    /// a slow computer.
    private var isAwaitingExtensions: Bool {
        discovering.keys.contains { statuses[$0]?.state == .starting }
    }

    private var settlingTime: Duration {
        bluetoothReach.scan == .underWay ? timing.bluetoothSettling : hasLooked ? timing.renewal : timing.settling
    }

    private func settle(after delay: Duration) {
        settling?.cancel()
        settling = Task { [clock] in
            guard (try? await clock.sleep(for: delay)) != nil, !Task.isCancelled else { return }
            // Its hello, or its end, comes in time.
            guard !isAwaitingExtensions else { return settle(after: delay) }
            endUnconfirmed()
            hasLooked = true
            isSettled = true
            bluetoothReach.settle()
        }
    }

    private func withdrawUnconfirmed() {
        let kept = Set(
            registry.all.map(\.id).filter { routes[$0] != nil || checks.isChecking($0) || presence.isSeen($0) })
        for change in registry.removeUnconfirmed(except: kept) {
            if case .removed(let id) = change { presence.lost(id) }
            publish(change)
        }
    }

    func found(_ description: DeviceDescription, from identifier: String) {
        guard let status = statuses[identifier] else { return }
        let known = registry[description.id]
        let isNew = known == nil || known?.availability == .remembered || known?.availability == .checking
        // Another extension's device is refused below.
        let isItsOwn = known.map { $0.extensionIdentifier == identifier } ?? true
        if isItsOwn { presence.reported(description.id, by: identifier) }
        // A recent answer to a check proves the device's presence.
        let isAsked =
            known?.description.endpoints == description.endpoints
            && (checks.isChecking(description.id) || presence.isSilent(description.id))
        let isUsed = routes[description.id] != nil
        let isUnheard = bluetoothReach.isThere(description.endpoints) == false
        var device = HostDevice(
            description: description, extensionIdentifier: identifier,
            protocolIdentifier: status.protocolIdentifier, protocolName: status.protocolName,
            availability: isUsed
                ? .ready
                : !isLooking || isUnheard ? .remembered : isAsked ? known?.availability ?? .ready : .ready)
        device.isPaired = credentials.has(description.id)
        personalise(&device)
        list(device)
        if isItsOwn, !isAsked { endCheck(of: device.id) }
        arrivals.fulfilAll(with: ())
        if isUsed { follow(device.id) } else if isAsked, isLooking, !checks.isChecking(device.id) { check([device.id]) }
        guard isNew, registry[description.id]?.extensionIdentifier == identifier else { return }
        sightings.append(
            CachedDevice(description: description, extensionIdentifier: identifier, lastSeen: Date())
        ) { Task { await rememberSightings() } }
    }

    /// Puts the device among the others, or renews it there.
    func list(_ device: HostDevice) {
        // Merge before publishing, so that a device that joins another is never seen by itself. A remembered
        // description may differ from the extension's current one.
        let isItsOwn = registry[device.id].map { $0.extensionIdentifier == device.extensionIdentifier } ?? true
        if isItsOwn, presence.isReported(device.id) { noteIdentity(device) }
        publish(registry.seen(device))
        if registry[device.id] == nil { identities.gone(device.id) }
        if registry.overfull.contains(device.extensionIdentifier),
            toldOverfull.insert(device.extensionIdentifier).inserted
        {
            let name = statuses[device.extensionIdentifier]?.name ?? device.extensionIdentifier
            report(HostError(.discoveryFailed, "\(name) reports more devices than are kept; the rest is ignored."))
        }
    }

    private func rememberSightings() async {
        while true {
            let batch = sightings.next()
            guard !batch.isEmpty else { return }
            let network = await network()
            let fresh = sightings.fresh(batch, on: network)
            guard !fresh.isEmpty else { continue }
            do {
                try await store.remember(fresh, network: network)
            } catch {
                sightings.forgetStored()
                let names = batch.count == 1 ? "The device \(batch[0].description.name)" : "\(batch.count) devices"
                report(HostError(.storageFailed, "\(names) cannot be remembered: \(error)"))
            }
        }
    }

    func lost(_ id: String, from identifier: String) {
        guard registry[id]?.extensionIdentifier == identifier else { return }
        presence.lost(id)
        publish(registry.lost(id, from: identifier, inUse: routes[id] != nil))
        endCheck(of: id)
    }

    func browse(_ key: BrowserKey, _ request: BrowseRequest) {
        let refusal = DeclarationRules.refusal(of: request, status: statuses[key.identifier])
        let task = Task { [discovery, runner] in
            if let refusal {
                // The extension's own fault, and no problem of this machine's.
                let event = BrowseEvent(.failed, message: refusal.message)
                _ = await runner.tell(.browserEvents(browser: key.browser, [event]), to: key.identifier)
                return
            }
            for await events in await discovery.browse(request) {
                for event in events { noteProblem(event, of: request) }
                guard await runner.tell(.browserEvents(browser: key.browser, events), to: key.identifier) else {
                    return
                }
            }
        }
        services.browses.begin(key, task)
    }

    private func noteProblem(_ event: BrowseEvent, of request: BrowseRequest) {
        let source = request.kind.rawValue
        switch event.kind {
        case .waiting, .failed:
            problems[source] = HostError(.discoveryFailed, event.message ?? "Discovery by \(source) does not work.")
        case .ready, .found: problems[source] = nil
        case .changed, .lost, .settled: break
        }
    }

    /// Sends a call without waiting. Its failure arrives as an event of the extension.
    func perform(_ call: ExtensionCall, on identifier: String) {
        Task { [runner] in try? await runner.perform(call, on: identifier) }
    }
}
