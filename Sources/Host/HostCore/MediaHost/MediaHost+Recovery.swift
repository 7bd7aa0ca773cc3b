import Foundation
import HostInterface
import LinkProtocol

/// A device that is being recovered.
struct OngoingRecovery {
    /// The number that distinguishes recoveries of one device.
    let number: Int
    var plan: Recovery
    var wishes = WishQueue()
    var tasks: [Task<Void, Never>] = []
    /// A Boolean value that indicates whether the extension discovers devices for this recovery.
    var isSeeking = false
}

/// The extension reported that the device now plays other media or none.
struct PlaybackIsOver: Error {}

extension MediaHost {
    /// Starts the recovery of devices in use after a process of their extension exited, and fails pending requests.
    func extensionDied(_ identifier: String, _ error: HostError) {
        running[identifier] = nil
        services.endAll(of: identifier)
        forgetReports(of: identifier)
        for route in Array(routes.values) where route.extensionIdentifier == identifier {
            outcomes.fail(route.activation, with: error)
            if let current = route.currentSession { starts.fail(current, with: error) }
            recoveries[route.deviceID]?.isSeeking = false
            // A session that is just starting fails with its own request.
            let isStarting = route.currentSession.flatMap { sessions[$0]?.state } == .starting
            guard activations[route.deviceID] == nil, recoveries[route.deviceID] == nil,
                !isStarting || !route.holders.isEmpty
            else { continue }
            takeUp(route, cause: error)
        }
    }

    /// Starts the recovery of a route and its playback. For a follower, the recovery lasts as long as the group plays.
    ///
    /// - Parameter isLost: `true` if the device was lost, not its extension.
    func takeUp(_ route: Route, cause: HostError, isLost: Bool = false) {
        let id = route.deviceID
        var plays = false
        // The playback of another sender doesn't need this host, and control of it can be taken again.
        if let current = route.currentSession, sessions[current]?.isOthers == true {
            routes[id]?.currentSession = nil
            Task { await leavePlayback(current) }
            if route.holders.isEmpty {
                Task { await closeUnneededRoute(id) }
                return
            }
        }
        if let current = routes[id]?.currentSession, current == route.currentSession, var session = sessions[current],
            session.state != .starting
        {
            plays = true
            session.state = .reconnecting
            sessions[current] = session
            publish(session)
        }
        publish(registry.update(id) { $0.activation = .reconnecting })
        lastRecovery += 1
        let number = lastRecovery
        let plan = Recovery(plays: plays, cause: cause, isLost: isLost)
        var ongoing = OngoingRecovery(number: number, plan: plan)
        ongoing.wishes = postponed.removeValue(forKey: id) ?? WishQueue()
        ongoing.tasks = [Task { await self.drive(id, number) }]
        if !groups.isFollower(id) {
            ongoing.tasks.append(
                Task { [clock, timing] in
                    guard (try? await clock.sleep(for: timing.recovery)) != nil, let plan = self.plan(id, number) else {
                        return
                    }
                    self.settle(id, number, plan.overdue)
                })
        }
        recoveries[id] = ongoing
    }

    /// Makes another device of the group the leader, because the leader doesn't answer, and recovers the former leader
    /// separately.
    private func passOnRecovery(from id: String, to heir: String, _ error: HostError) {
        guard var ongoing = endRecovery(id) else { return }
        promote(heir)
        if let route = routes[heir] { takeUp(route, cause: ongoing.plan.cause) }
        recoveries[heir]?.wishes.add(ongoing.wishes.takePlayback())
        if let route = routes[id] { takeUp(route, cause: error, isLost: true) }
        recoveries[id]?.wishes.add(ongoing.wishes)
        settlements.fulfil(id, with: ())
    }

    private func plan(_ id: String, _ number: Int) -> Recovery? {
        recoveries[id].flatMap { $0.number == number ? $0.plan : nil }
    }

    private func drive(_ id: String, _ number: Int) async {
        guard var step = plan(id, number)?.first else { return }
        while let route = routes[id] {
            let event: Recovery.Event
            switch step {
            case .awaitExtension: event = await launchEvent(route.extensionIdentifier)
            case .activate(let pause, let isSeeking):
                if isSeeking { seek(id, number, route.extensionIdentifier) }
                if pause > .zero, (try? await clock.sleep(for: pause)) == nil { return }
                event = await activationEvent(route)
            case .adopt: event = await adoptionEvent(route)
            case .finish(let outcome): return settle(id, number, outcome)
            }
            guard !Task.isCancelled, var plan = plan(id, number) else { return }
            if case .notActivated(let error) = event, let heir = heir(of: id) {
                return passOnRecovery(from: id, to: heir, error)
            }
            step = plan.next(after: event)
            recoveries[id]?.plan = plan
        }
    }

    // MARK: Steps

    private func launchEvent(_ identifier: String) async -> Recovery.Event {
        guard let status = statuses[identifier] else {
            return .extensionUnusable(
                HostError(.extensionCrashed, "The extension \(identifier) is no longer installed."))
        }
        guard status.canRun else { return .extensionUnusable(status.reasonNotToRun) }
        do {
            try await waitUntilRunning(identifier)
            return .extensionRuns
        } catch {
            return .extensionDied((error as? HostError) ?? HostError(.extensionCrashed, "\(error)"))
        }
    }

    /// Activates a device with stored secrets only.
    private func activationEvent(_ route: Route) async -> Recovery.Event {
        guard let device = registry[route.deviceID] else {
            return .notActivated(HostError(.noSuchDevice, "The device is no longer known."))
        }
        do {
            let credential = try await store.credential(device: device.id)
            let call = ExtensionCall.activate(
                device.description, session: route.linkSession,
                capabilities: route.features ?? device.description.capabilities, credential: credential)
            switch try await outcome(of: call, device: device, route: route) {
            case .activated: return .activated
            case .failed(let error): return .notActivated(error)
            case .needsCode, .entered:
                return .notActivated(
                    HostError(
                        .authorizationRequired, "\(spokenName(device.id)) asks for a code or password again."))
            }
        } catch {
            return .notActivated((error as? HostError) ?? HostError(.internalFailure, "\(error)"))
        }
    }

    private func adoptionEvent(_ route: Route) async -> Recovery.Event {
        do {
            try await adopt(route)
            return .adopted
        } catch is PlaybackIsOver {
            return .isOver
        } catch {
            return .notAdopted((error as? HostError) ?? HostError(.internalFailure, "\(error)"))
        }
    }

    /// - Throws: ``PlaybackIsOver`` if the device no longer plays the media.
    private func adopt(_ route: Route) async throws {
        guard let id = routes[route.deviceID]?.currentSession else { return }
        // The samples go to the next process of the extension.
        if let delivery = routes[route.deviceID]?.delivery { return try await connect(delivery, to: route, id) }
        guard let record = adoptable[id] else { return }
        if let place = record.delivered { return try await deliverAgain(record, at: place, route) }
        let name = spokenName(route.deviceID)
        let call = ExtensionCall.adoptSession(
            session: route.linkSession, identifier: record.application, url: record.url,
            media: media(record.media, at: record.url),
            token: record.token)
        try await starts.outcome(
            id, within: timing.adoption, clock: clock,
            late: HostError(.timedOut, "\(name) did not tell in time what it plays.")
        ) { [runner] in
            try await runner.perform(call, on: route.extensionIdentifier)
        }
    }

    /// Starts the extension's discovery for a device that isn't at its address. With a lease it runs anyway.
    private func seek(_ id: String, _ number: Int, _ identifier: String) {
        guard recoveries[id]?.number == number, recoveries[id]?.isSeeking == false, !isLooking else { return }
        recoveries[id]?.isSeeking = true
        perform(.startDeviceDiscovery, on: identifier)
    }

    // MARK: The end

    private func settle(_ id: String, _ number: Int, _ outcome: Recovery.Outcome) {
        guard recoveries[id]?.number == number, let route = routes[id], let ongoing = endRecovery(id) else { return }
        // Separate tasks: those of the recovery are cancelled by now, and this work must be done.
        switch outcome {
        case .takenUp: Task { await conclude(route, ongoing.wishes, isOver: false) }
        case .ended: Task { await conclude(route, ongoing.wishes, isOver: true) }
        case .failed(let error):
            fail(ongoing.wishes, with: error)
            // The playback has no controller any more, so it must stop.
            beginClosing(id, .failed(error))
            Task {
                await closed(id)
                settlements.fulfil(id, with: ())
            }
        }
    }

    private func conclude(_ route: Route, _ wishes: WishQueue, isOver: Bool) async {
        let id = route.deviceID
        publish(
            registry.update(id) {
                $0.activation = .active
                $0.availability = .ready
                $0.lastError = nil
            })
        follow(id)
        if isOver, let current = route.currentSession {
            fail(wishes, with: HostError(.noSuchSession, "What played had ended meanwhile."))
            let ending = sessions[current].flatMap { SessionEnding(of: $0, at: MonotonicTime.now) }
            await finish(current, error: nil, ending: ending)
        } else {
            await tell(wishes, to: route)
            await readVolume(id)
        }
        settlements.fulfil(id, with: ())
    }

    /// Removes a recovery, for any reason.
    @discardableResult
    func endRecovery(_ id: String) -> OngoingRecovery? {
        guard let ongoing = recoveries.removeValue(forKey: id) else { return nil }
        let identifier = routes[id]?.extensionIdentifier ?? registry[id]?.extensionIdentifier
        if ongoing.isSeeking, !isLooking, let identifier, !isSearching(identifier) {
            perform(.stopDeviceDiscovery, on: identifier)
        }
        for task in ongoing.tasks { task.cancel() }
        return ongoing
    }

    // MARK: Wishes

    /// Performs a request, at once or, if it may be repeated, after the extension or the device is back.
    ///
    /// - Throws: ``HostError`` `extension-crashed` or `unreachable` if it can't wait, or waited too long.
    func fulfil(_ wish: WishQueue.Wish, on id: String) async throws {
        guard let route = routes[id] else { throw HostError(.noSuchSession, "The device is not active.") }
        if recoveries[id] == nil, !isAway(id) {
            let generation = running[route.extensionIdentifier]
            do {
                return try await runner.perform(wish.call(route), on: route.extensionIdentifier)
            } catch let error as HostError where error.code == .extensionCrashed {
                guard wish.canBeRepeated, routes[id]?.linkSession == route.linkSession else { throw error }
                // The call knows of the process's end before its events tell.
                if running[route.extensionIdentifier] == generation {
                    extensionDied(route.extensionIdentifier, error)
                } else if recoveries[id] == nil {
                    return try await runner.perform(wish.call(route), on: route.extensionIdentifier)
                }
            }
        }
        try await wait(wish, on: id)
    }

    private func wait(_ wish: WishQueue.Wish, on id: String) async throws {
        let name = spokenName(id)
        let isAway = recoveries[id] == nil && isAway(id)
        let late =
            isAway
            ? noAnswer(id) : HostError(.extensionCrashed, "\(name) is being connected again; try again in a moment.")
        guard wish.canBeRepeated, isAway || recoveries[id] != nil else { throw late }
        lastWish += 1
        let ticket = lastWish
        if isAway {
            postponed[id, default: WishQueue()].add(wish, ticket: ticket)
        } else {
            recoveries[id]?.wishes.add(wish, ticket: ticket)
        }
        do {
            try await wishes.outcome(ticket, within: timing.patience, clock: clock, late: late)
        } catch {
            // Wherever it is by now: another device may lead.
            for device in recoveries.keys { recoveries[device]?.wishes.remove(ticket: ticket) }
            for device in postponed.keys { postponed[device]?.remove(ticket: ticket) }
            throw error
        }
    }

    func tell(_ queue: WishQueue, to route: Route) async {
        for entry in queue.entries {
            do {
                try await runner.perform(entry.wish.call(route), on: route.extensionIdentifier)
                for ticket in entry.tickets { wishes.fulfil(ticket, with: ()) }
            } catch {
                for ticket in entry.tickets { wishes.fail(ticket, with: error) }
            }
        }
    }

    func fail(_ queue: WishQueue, with error: HostError) {
        for ticket in queue.entries.flatMap(\.tickets) { wishes.fail(ticket, with: error) }
    }

    /// Waits until the recovery of a session's device ends. The device can change meanwhile.
    func awaitRecovery(ofSession id: String) async throws {
        while let device = sessions[id]?.deviceID, recoveries[device] != nil { try await awaitRecovery(of: device) }
    }

    /// Waits until the recovery of a device ends; returns at once if there is none.
    func awaitRecovery(of id: String) async throws {
        guard recoveries[id] != nil else { return }
        let name = spokenName(id)
        try await settlements.outcome(
            id, within: timing.patience, clock: clock,
            late: HostError(.unreachable, "\(name) is being connected again; try again in a moment."))
    }
}

extension WishQueue.Wish {
    fileprivate func call(_ route: Route) -> ExtensionCall {
        switch self {
        case .playback(let command): .playbackCommand(session: route.linkSession, command)
        case .level(let level): .setVolume(device: route.deviceID, level: level)
        }
    }
}

extension ExtensionStatus {
    /// The reason why the extension can't run, for people.
    var reasonNotToRun: HostError {
        let reason = lastError ?? (state == .disabled ? "it is disabled" : "its state is \(state.rawValue)")
        let code: HostError.Code =
            switch state {
            case .loadFailed, .invalidManifest: .extensionUnusable
            case .disabled: .extensionDisabled
            case .idle, .starting, .running, .crashed, .quarantined: .extensionCrashed
            }
        return HostError(code, "The extension \(name) does not run: \(reason)")
    }
}
