import Foundation
import HostInterface

extension MediaHost {
    /// Somebody looks for devices: starts discovery with the first lease.
    ///
    /// Known devices of this network are published as cached before it returns.
    package func takeLease(_ id: String) async {
        guard leases.insert(id).inserted, leases.count == 1 else { return }
        let look = looks
        searchManual()
        problems = [:]
        unseen = Set(registry.all.filter { $0.availability == .available }.map(\.id))
        settle(to: true, after: settlingTime)
        for status in await runner.statuses() where status.canFindDevices {
            guard look == looks else { return }
            await beginDiscovery(by: status.id, look: look)
        }
        guard look == looks else { return }
        await publishCachedDevices()
    }

    /// Ends the lease; with the last one discovery stops, and devices stay listed until they are lost.
    package func endLease(_ id: String) async {
        guard leases.remove(id) != nil, leases.isEmpty else { return }
        looks += 1
        confirmation?.cancel()
        endUnseenTries()
        settle(to: false, after: timing.freshness)
        await endDiscovery()
    }

    private func publishCachedDevices() async {
        do {
            for cached in try await store.cachedDevices(network: await network()) {
                guard registry[cached.description.id] == nil, let status = statuses[cached.extensionIdentifier],
                    status.state != .disabled
                else { continue }
                var device = HostDevice(
                    description: cached.description, extensionIdentifier: cached.extensionIdentifier,
                    protocolIdentifier: status.protocolIdentifier, protocolName: status.protocolName,
                    availability: .cached)
                device.isPaired = paired.contains(device.id)
                personalise(&device)
                list(device)
            }
        } catch {
            report(HostError(.storageFailed, "Remembered devices cannot be read: \(error)"))
        }
        confirmation?.cancel()
        confirmation = Task { [clock, timing] in
            guard (try? await clock.sleep(for: timing.confirmation)) != nil else { return }
            withdrawUnconfirmed()
        }
    }

    /// There may be more devices than were found so far.
    func lookIsIncomplete() {
        settling?.cancel()
        isSettled = false
        if !leases.isEmpty { settle(to: true, after: settlingTime) }
    }

    /// Another extension looks from now on, and takes its time.
    func lookHasBegun() {
        if !leases.isEmpty, !isSettled { settle(to: true, after: settlingTime) }
    }

    /// Whether an extension is about to look: a process may take seconds to load on a slow or busy machine.
    private var isAwaitingExtensions: Bool {
        discovering.keys.contains { statuses[$0]?.state == .starting }
    }

    private var settlingTime: Duration {
        bluetoothLook == .underWay ? timing.bluetoothSettling : timing.settling
    }

    private func settle(to value: Bool, after delay: Duration) {
        settling?.cancel()
        settling = Task { [clock] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            // Its hello, or its end, comes in time.
            guard !value || !isAwaitingExtensions else { return settle(to: value, after: delay) }
            isSettled = value
            if !value { bluetoothLook = .none } else if bluetoothLook == .underWay { bluetoothLook = .complete }
        }
    }

    private func withdrawUnconfirmed() {
        for change in registry.removeUnconfirmed() { publish(change) }
        tryUnseen()
    }

    func found(_ description: DeviceDescription, from identifier: String) {
        guard let status = statuses[identifier] else { return }
        let isNew = registry[description.id] == nil || registry[description.id]?.availability == .cached
        var device = HostDevice(
            description: description, extensionIdentifier: identifier,
            protocolIdentifier: status.protocolIdentifier, protocolName: status.protocolName, availability: .available)
        device.isPaired = paired.contains(description.id)
        personalise(&device)
        list(device)
        arrivals.fulfilAll(with: ())
        unseen.remove(description.id)
        if routes[description.id] != nil { follow(description.id) }
        guard isNew, registry[description.id]?.extensionIdentifier == identifier else { return }
        sightings.append(CachedDevice(description: description, extensionIdentifier: identifier, lastSeen: Date()))
        if remembering == nil { remembering = Task { await rememberSightings() } }
    }

    /// Puts the device among the others, or renews it there.
    func list(_ device: HostDevice) {
        // What belongs together is so before it is told: a device that joins another is never seen by itself. What is only
        // remembered may not be what its extension says today.
        let isItsOwn = registry[device.id].map { $0.extensionIdentifier == device.extensionIdentifier } ?? true
        if isItsOwn, device.availability == .available { noteIdentity(device) }
        publish(registry.seen(device))
        if registry[device.id] == nil { identities.gone(device.id) }
    }

    /// What is found while a write is under way is written together by the next: a burst costs a few writes, not one each.
    private func rememberSightings() async {
        while !sightings.isEmpty {
            let batch = sightings
            sightings = []
            let network = await network()
            let fresh = stored.take(batch, on: network)
            guard !fresh.isEmpty else { continue }
            do {
                try await store.remember(fresh, network: network)
            } catch {
                stored.forgetAll()
                let names = batch.count == 1 ? "The device \(batch[0].description.name)" : "\(batch.count) devices"
                report(HostError(.storageFailed, "\(names) cannot be remembered: \(error)"))
            }
        }
        remembering = nil
    }

    func lost(_ id: String, from identifier: String) {
        publish(registry.lost(id, from: identifier, inUse: routes[id] != nil))
    }

    func browse(_ key: BrowserKey, _ request: BrowseRequest) {
        browses[key]?.cancel()
        browses[key] = Task { [discovery, runner] in
            for await event in await discovery.browse(request) {
                noteProblem(event, of: request)
                guard await runner.tell(.browserEvents(browser: key.browser, [event]), to: key.identifier) else {
                    return
                }
            }
        }
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

    func endBrowses(of identifier: String) {
        endBluetooth(of: identifier)
        for key in browses.keys.filter({ $0.identifier == identifier }) {
            browses.removeValue(forKey: key)?.cancel()
        }
        endCentrals(of: identifier)
        endAnnouncements(of: identifier)
    }

    /// Sends a call whose failure is told by the extension's own events: nobody waits for it.
    func perform(_ call: ExtensionCall, on identifier: String) {
        Task { [runner] in try? await runner.perform(call, on: identifier) }
    }
}
