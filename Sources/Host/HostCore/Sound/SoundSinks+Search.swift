import HostInterface

/// The search for devices of sinks, and for new ones.
extension SoundSinks {
    private static let lease = "sound-sinks"

    /// Waits until the device is known, or one of a group.
    func find(_ id: String) async throws {
        for device in sinks[id]?.deviceIDs ?? [id] where (try? await host.shownDevice(device)) != nil { return }
        searches.insert(id)
        let name = sinks[id]?.record.name ?? id
        let result: Result<Void, any Error>
        do {
            try await arrivals.outcome(
                id, within: SinkSearch.limit, clock: clock, late: HostError(.unreachable, "\(name) is not there.")
            ) { await self.look() }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        searches.remove(id)
        await look()
        try result.get()
    }

    /// Starts or ends discovery, as ``SinkSearch`` says.
    func look() async {
        // A group plays without its missing devices meanwhile.
        let isMissed = sinks.values.contains { !$0.missing.isEmpty && ($0.record.isAutomatic || !$0.isAway) }
        let patrols = !isClosed && (following.isOn || isMissed)
        if !patrols { endPatrol() } else if patrol == nil { beginPatrol(by: SinkSearch.look) }
        await holdLease()
    }

    private func holdLease() async {
        let isAwaited = !searches.isEmpty || sinks.values.contains { $0.isAway && !$0.record.isAutomatic }
        let wanted = !isClosed && (isAwaited || isOnPatrol)
        guard wanted != isLooking else { return }
        isLooking = wanted
        if wanted { await host.takeLease(Self.lease) } else { await host.endLease(Self.lease) }
    }

    /// Discovers devices from now on for some time, and then from time to time.
    func beginPatrol(by first: Duration) {
        guard !isClosed else { return }
        patrol?.cancel()
        patrol = Task {
            var time = first
            while !Task.isCancelled {
                isOnPatrol = true
                await holdLease()
                guard (try? await clock.sleep(for: time)) != nil, !Task.isCancelled else { return }
                isOnPatrol = false
                await holdLease()
                guard (try? await clock.sleep(for: SinkSearch.pause, tolerance: SinkSearch.tolerance)) != nil else {
                    return
                }
                time = SinkSearch.look
            }
        }
    }

    func endPatrol() {
        patrol?.cancel()
        patrol = nil
        isOnPatrol = false
    }
}
