import HostInterface

/// The checks of listed devices: all at the start of a discovery, one at a time when its extension or a person gives
/// reason. A device that doesn't answer is shown as remembered.
extension MediaHost {
    /// Checks devices. A device in use is watched separately.
    ///
    /// - Parameter lease: The lease that is settled after each device has answered or its time has passed.
    func check(_ ids: [String], for lease: String? = nil) {
        let asked = ids.filter { routes[$0] == nil && registry[$0] != nil }
        guard !asked.isEmpty else { return }
        let round = presence.begin(asked, for: lease)
        let timer = Task { [clock, timing] in
            guard (try? await clock.sleep(for: timing.hesitation)) != nil else { return }
            for id in presence.pending(round) { show(id, as: .checking, insteadOf: [.ready]) }
            guard (try? await clock.sleep(for: timing.answer - timing.hesitation)) != nil else { return }
            for id in presence.pending(round) { conclude(id, false) }
            end(round)
        }
        checks.begin(round: round, for: lease, timer)
        for id in asked {
            show(id, as: .checking, insteadOf: [.remembered])
            guard !checks.isChecking(id), let endpoints = registry[id]?.description.endpoints else { continue }
            let task = Task { [discovery] in
                let answer = await discovery.confirm(endpoints) ?? bluetoothReach.isThere(endpoints)
                guard !Task.isCancelled else { return }
                checks.finished(id)
                conclude(id, answer)
                // After a complete discovery no check is pending.
                if isSettled { show(id, as: .remembered, insteadOf: [.checking]) }
                for round in presence.answered(id) { end(round) }
            }
            checks.begin(id, task)
        }
    }

    private func end(_ round: Int) {
        presence.end(round)
        if let lease = checks.end(round: round) { tellLeases([lease]) }
    }

    private func show(_ id: String, as availability: HostDevice.Availability, insteadOf: [HostDevice.Availability]) {
        guard routes[id] == nil else { return }
        publish(
            registry.update(id) { if insteadOf.contains($0.availability) { $0.availability = availability } })
    }

    /// Shows the result of an answer for a device that isn't in use.
    ///
    /// - Parameter answer: As of ``DevicePresence/conclude(_:_:)``.
    func conclude(_ id: String, _ answer: Bool?) {
        guard routes[id] == nil, registry[id] != nil else { return }
        switch presence.conclude(id, answer) {
        case .ready:
            checks.endRecall(id)
            show(id, as: .ready, insteadOf: [.checking, .remembered])
            arrivals.fulfilAll(with: ())
        case .remembered:
            show(id, as: .remembered, insteadOf: [.ready, .checking])
            if presence.isSilent(id) { recall(id) }
        case .gone: publish(registry.remove(id))
        case nil: break
        }
    }

    /// Asks each device that left a try unanswered, so that it isn't shown as ready until its extension loses it.
    func followDoubts() {
        followingDoubts = Task { [discovery] in
            for await endpoints in await discovery.doubts() {
                let doubted = Set(endpoints.compactMap(DevicePlace.init))
                check(
                    registry.all.filter { device in
                        device.availability == .ready
                            && device.description.endpoints.compactMap(DevicePlace.init).contains(
                                where: doubted.contains)
                    }.map(\.id))
            }
        }
    }

    /// Asks again and again: an extension does not tell that a device answers which it has not lost.
    private func recall(_ id: String) {
        guard isLooking, !checks.isRecalling(id) else { return }
        let task = Task { [discovery, clock, timing] in
            while (try? await clock.sleep(for: timing.answer)) != nil {
                guard let endpoints = registry[id]?.description.endpoints else { return }
                let answer = await discovery.confirm(endpoints) ?? bluetoothReach.isThere(endpoints)
                guard !Task.isCancelled else { return }
                if answer != false { return conclude(id, answer) }
            }
        }
        checks.recall(id, task)
    }

    /// Ends the check of a device that its extension reported, or that isn't listed. Publish the change first, because
    /// the lease may be told here that the list is complete.
    func endCheck(of id: String) {
        checks.end(id)
        for round in presence.answered(id) { end(round) }
    }

    /// Ends all checks after a discovery. Listed devices are then only remembered, unless they are in use.
    func endChecks() {
        checks.endAll()
        presence.endLook()
        for device in registry.all { show(device.id, as: .remembered, insteadOf: [.ready, .checking]) }
    }

    /// Marks devices as remembered that weren't confirmed at the end of a discovery.
    func endUnconfirmed() {
        for device in registry.all where !checks.isChecking(device.id) {
            show(device.id, as: .remembered, insteadOf: [.checking])
        }
    }

    /// Discards the reports of an extension whose process exited. The next process reports again.
    func forgetReports(of identifier: String) {
        let devices = presence.processEnded(identifier)
        for id in devices {
            show(id, as: .remembered, insteadOf: [.ready, .checking])
            endCheck(of: id)
        }
        if isLooking, !devices.isEmpty { withdrawUnconfirmedLater() }
    }

    /// Removes a forgotten device, which is listed only while it is available.
    func withdrawForgotten(_ id: String) {
        guard routes[id] == nil, registry[id] != nil else { return }
        guard isLooking, presence.isReported(id) else { return publish(registry.remove(id)) }
        presence.forget(id)
        show(id, as: .checking, insteadOf: [.ready, .remembered])
        check([id])
    }

    /// Reports the leases whose list is complete and checked.
    func tellLeases() { tellLeases(leases.all) }

    /// The same for some leases: thousands of others may be unaffected by the change.
    func tellLeases(_ ids: some Sequence<String>) {
        let changes = leases.news(for: ids) { isSettled && !presence.isAwaited(by: $0) }
        if !changes.isEmpty { outbox.yield(.leases(changes)) }
    }
}
