import HostInterface
import LinkProtocol

extension MediaHost {
    /// A device that the host itself watches.
    struct Watch {
        let endpoints: [String]
        let task: Task<Void, Never>
    }

    // MARK: Devices in use

    /// Watches the device of an open route at its current endpoints.
    func follow(_ id: String) {
        guard routes[id] != nil, let endpoints = registry[id]?.description.endpoints else { return unfollow(id) }
        guard watches[id]?.endpoints != endpoints else { return }
        watches[id]?.task.cancel()
        // Found at another place: it counts as there until tries say otherwise.
        if missing[id] != nil { isBack(id) }
        let task = Task { [discovery] in
            for await isThere in await discovery.watch(endpoints, isInUse: true) {
                guard !Task.isCancelled else { return }
                answered(id, isThere)
            }
        }
        watches[id] = Watch(endpoints: endpoints, task: task)
    }

    func unfollow(_ id: String) {
        watches.removeValue(forKey: id)?.task.cancel()
        settleSearch(for: id)
        // The device is no longer polled from now on.
        guard routes[id] == nil else { return }
        guard !isLooking else {
            if let endpoints = registry[id]?.description.endpoints, bluetoothReach.isThere(endpoints) == false {
                conclude(id, false)
            }
            return
        }
        publish(registry.update(id) { if $0.availability == .ready { $0.availability = .remembered } })
    }

    private func answered(_ id: String, _ isThere: Bool) {
        guard routes[id] != nil, let identifier = registry[id]?.extensionIdentifier else { return }
        publish(registry.update(id) { $0.availability = isThere ? .ready : .unreachable })
        guard !isThere else { return isBack(id) }
        // It may have another address by now, which its extension knows how to find.
        guard missing.updateValue(identifier, forKey: id) == nil, !isLooking, running[identifier] != nil else {
            return
        }
        perform(.startDeviceDiscovery, on: identifier)
    }

    private func isBack(_ id: String) {
        settleSearch(for: id)
        hasReturned(id)
    }

    /// Ends the search for a device in use that was missing.
    private func settleSearch(for id: String) {
        guard let identifier = missing.removeValue(forKey: id), !isLooking, !isSearching(identifier),
            running[identifier] != nil
        else { return }
        perform(.stopDeviceDiscovery, on: identifier)
    }

    /// Returns a Boolean value that indicates whether an extension has to discover devices without a lease.
    func isSearching(_ identifier: String) -> Bool {
        missing.values.contains(identifier)
            || recoveries.contains { $0.value.isSeeking && routes[$0.key]?.extensionIdentifier == identifier }
    }
}
