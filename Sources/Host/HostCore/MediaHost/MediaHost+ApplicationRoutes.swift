import Foundation
import HostInterface

/// The routes of apps to devices. The device is activated first, then the app gets an event.
extension MediaHost {
    /// The identifiers of the devices that apps are routed to, by the identifier of the app.
    package var routedApplications: [String: String] {
        Dictionary(applicationRoutes.all.map { ($0.application, $0.entryID) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets the port to the apps; called before clients are served.
    package func serve(applications: any ApplicationPort) { self.applications = applications }

    /// Routes an app to a device, and pairs with the device if necessary.
    ///
    /// The app's newest request counts. Its earlier route ends after the new device is active. Another app's route to
    /// the device ends, unless device and extension support several at a time.
    ///
    /// - Parameter prompt: Asks the person who picked the device.
    /// - Returns: Whether the app accepted it; otherwise the device is released. Includes the app's problems meanwhile.
    /// - Throws: ``HostError``: those of ``activate(_:via:holder:prompt:)``; `application-declined` with the app's reason,
    ///   `not-supported` if the app doesn't support the device, `device-in-use` if another app plays there, `cancelled`
    ///   if another device was picked meanwhile or the route was ended, and the app's own.
    package func route(
        _ id: String, to application: ApplicationDeclaration, prompt: PairingPrompt?
    ) async throws -> ApplicationAnswer {
        let whole = try shownDevice(id)
        if let held = applicationRoutes[application.identifier], held.entryID == whole.id, isHeld(held) {
            return ApplicationAnswer(isHandled: true)
        }
        try checkNobodyPlays(on: whole, for: application)
        let pick = applicationRoutes.pick(whole.id, for: application.identifier)
        defer { applicationRoutes.conclude(pick) }
        let via = application.way(to: whole)?.protocol
        let (route, part) = try await withPart(
            of: id, via: via, where: { application.supports($0) },
            unable: { HostError(.notSupported, "\(application.name) cannot send its media to \($0).") }
        ) { part in
            let route = ApplicationRoute(
                application: application.identifier, applicationName: application.name, device: part.description,
                entryID: whole.id, name: whole.description.name, extensionIdentifier: part.extensionIdentifier,
                protocolIdentifier: part.protocolIdentifier, protocolName: part.protocolName,
                features: application.features(of: part))
            try await openRoute(
                part.id, features: route.features, for: .application(application.identifier), prompt: prompt)
            guard routes[part.id] != nil else {
                throw HostError(.unreachable, "\(spokenName(part.id)) went away.")
            }
            routes[part.id]?.holders.insert(route.id)
            return (route, part)
        }
        do {
            try checkNobodyPlays(on: whole, for: application)
            // Before its own turn: two apps that take each other's device must not wait for each other.
            for other in competitors(of: application, on: whole) { await endRoute(other) }
            let turns = applicationTurns(application.identifier)
            await turns.take()
            let answer: Result<ApplicationAnswer, any Error>
            do { answer = .success(try await begin(route, part, pick)) } catch { answer = .failure(error) }
            await turns.pass()
            if case .success(let answer) = answer, answer.isHandled { return answer }
            await releaseAll(holder: route.id)
            return try answer.get()
        } catch {
            await releaseAll(holder: route.id)
            throw error
        }
    }

    /// Starts a route within the app's turn: it first ends the old one.
    private func begin(
        _ route: ApplicationRoute, _ part: HostDevice, _ pick: ApplicationRoutes.Pick
    ) async throws -> ApplicationAnswer {
        if applicationRoutes.isCurrent(pick), let old = applicationRoutes.end(of: route.application) {
            await conclude(old)
        }
        guard let applications, isHeld(route) else { throw HostError(.unreachable, "\(route.name) went away.") }
        guard applicationRoutes.begin(route, by: pick) else {
            throw HostError(.cancelled, "The route of \(route.applicationName) to \(route.name) was cancelled.")
        }
        // Record before telling the app, so that the next daemon knows of it in any case.
        await keepRecord(route)
        let answer: ApplicationAnswer
        do throws(HostError) {
            answer = try await applications.tell(ApplicationRouteEvent(.activate, route))
            if let problem = answer.problem { applicationReported(problem, of: route) }
            guard answer.isHandled else {
                if applicationRoutes.end(route.id) != nil { await dropRecord(route) }
                guard let problem = answer.problem else { return answer }
                throw HostError(
                    .applicationDeclined, "\(route.applicationName) declined \(route.name): \(problem)")
            }
        } catch {
            if let ended = applicationRoutes.end(route.id) {
                // It may begin yet.
                if error.code == .timedOut { await conclude(ended) } else { await dropRecord(ended) }
            }
            throw error
        }
        applicationRoutes.accept(route.id)
        guard applicationRoutes[route.application]?.id == route.id else {
            throw registry[part.id]?.lastError ?? HostError(.unreachable, "\(route.name) went away.")
        }
        return answer
    }

    /// Something went wrong in an app that is routed to the device: it is logged, and told of the device.
    package func applicationReported(_ problem: String, application: ApplicationDeclaration, device id: String) {
        guard let route = applicationRoutes[application.identifier], route.entryID == identities.entry(of: id) else {
            return
        }
        applicationReported(problem, of: route)
    }

    private func applicationReported(_ problem: String, of route: ApplicationRoute) {
        let error = HostError(.applicationFailed, "\(route.applicationName) with \(route.name): \(problem)")
        report(error)
        for (id, used) in routes where used.holders.contains(route.id) {
            publish(registry.update(id) { $0.lastError = error })
        }
    }

    /// Ends the routes of an app, or of all apps, to a device, and cancels those in progress.
    ///
    /// - Parameter application: The identifier of the app; empty for all.
    /// - Returns: The names of the apps, at least one.
    /// - Throws: ``HostError`` `no-such-session` if there is no route.
    package func unroute(_ id: String, application: String) async throws -> [String] {
        let entryID = identities.entry(of: id)
        let apps = applicationRoutes.applications(on: entryID).filter { application.isEmpty || $0 == application }
        guard !apps.isEmpty else {
            let who = application.isEmpty ? "No app" : application
            throw HostError(
                .noSuchSession, "\(who) is \(application.isEmpty ? "" : "not ")routed to \(spokenName(entryID)).")
        }
        var names: [String] = []
        for app in apps {
            applicationRoutes.withdrawPick(of: app)
            guard let route = applicationRoutes[app], route.entryID == entryID else {
                names.append(app)
                continue
            }
            names.append(route.applicationName)
            await endRoute(route)
        }
        return names
    }

    // MARK: Ends

    /// Ends the route and notifies its app, unless that was done already.
    func endRoute(_ route: ApplicationRoute) async {
        guard let ended = applicationRoutes.end(route.id) else { return }
        let turns = applicationTurns(ended.application)
        await turns.take()
        await conclude(ended)
        await turns.pass()
    }

    /// Tells the app about an ended route, stops what it left playing, and releases the device. Called within the app's
    /// turn.
    private func conclude(_ route: ApplicationRoute) async {
        if let applications, applications.isConnected(route.application) {
            do {
                let answer = try await applications.tell(ApplicationRouteEvent(.deactivate, route))
                if let problem = answer.problem { applicationReported(problem, of: route) }
            } catch {
                report(HostError(error.code, "\(route.applicationName), on the end of its route: \(error.message)"))
            }
        }
        await dropRecord(route)
        for session in sessions.values
        where session.owner == route.application && routes[session.deviceID]?.holders.contains(route.id) == true {
            await stopPlayback(session.id, reason: nil)
        }
        await releaseAll(holder: route.id)
    }

    /// Ends the app routes of a closed route.
    func applicationRoutesEnd(with route: Route) {
        for holder in route.holders where !routes.values.contains(where: { $0.holders.contains(holder) }) {
            guard let ended = applicationRoutes.end(holder) else { continue }
            lastFarewell += 1
            let number = lastFarewell
            farewells[number] = Task {
                let turns = applicationTurns(ended.application)
                await turns.take()
                await conclude(ended)
                await turns.pass()
                farewells[number] = nil
            }
        }
    }

    /// Ends all app routes when the daemon exits without a successor. It doesn't wait for an app that doesn't answer.
    func endAllApplicationRoutes() async {
        lastTicket += 1
        let ticket = lastTicket
        try? await marks.outcome(
            ticket, within: timing.farewell, clock: clock, late: HostError(.timedOut, "An app does not answer.")
        ) { [self] in
            Task {
                await withDiscardingTaskGroup { group in
                    for route in await applicationRoutes.all { group.addTask { await self.endRoute(route) } }
                }
                for task in await farewells.values { await task.value }
                marks.fulfil(ticket, with: ())
            }
        }
    }

    // MARK: Apps

    func tellApplicationRoutes() {
        outbox.yield(
            .applicationRoutes(
                applicationRoutes.accepted.values.map { route in
                    let device = registry[route.device.id]?.description ?? route.device
                    return RoutedApplication(
                        id: route.id, application: route.application, applicationName: route.applicationName,
                        device: route.entryID, takesLiveSound: device.takesLiveSound,
                        takesSamplesOnly: takesSamplesOnly(device, of: route.extensionIdentifier))
                }))
    }

    /// Returns the processes of an app.
    package func processIDs(of application: String) -> Set<Int32> { applications?.processIDs(of: application) ?? [] }

    /// Processes the registration of an app.
    ///
    /// - Parameter held: Identifiers of the devices that it holds to be routed to: an app that lives longer than a daemon.
    package func applicationRegistered(_ application: String, holding held: [String]) async {
        let entries = held.map { identities.entry(of: $0) }
        if let stale = applicationRoutes.returned(application, holding: entries) {
            await dropRecord(stale)
            await releaseAll(holder: stale.id)
        }
        // Its own sound can be found now.
        if applicationRoutes[application] != nil { tellApplicationRoutes() }
        guard let applications else { return }
        for id in held where applicationRoutes[application]?.entryID != identities.entry(of: id) {
            let turns = applicationTurns(application)
            await turns.take()
            _ = try? await applications.tell(ApplicationRouteEvent(endOf: id, application: application))
            await turns.pass()
        }
    }

    /// Ends the routes of an app whose last program disconnected. Its playback on devices continues.
    package func applicationGone(_ application: String) async {
        // The next daemon has it.
        guard !isHandingOver else { return }
        applicationRoutes.withdrawPick(of: application)
        guard let ended = applicationRoutes.end(of: application) else { return }
        await dropRecord(ended)
        await releaseAll(holder: ended.id)
    }

    // MARK: The next daemon

    /// Restores the routes of an earlier daemon, after their playback.
    func restoreApplicationRoutes() async {
        let records: [ApplicationRoute]
        do {
            records = try await store.applicationRoutes()
        } catch {
            return report(HostError(.storageFailed, "The routes of apps cannot be read: \(error)"))
        }
        for record in records { await restore(record) }
    }

    private func restore(_ record: ApplicationRoute) async {
        // The older route was just ending.
        if let older = applicationRoutes.end(of: record.application) {
            await dropRecord(older)
            routes[older.device.id]?.holders.remove(older.id)
        }
        let id = record.device.id
        if routes[id] == nil {
            publish(registry.seen(recalled(record.device, record.extensionIdentifier)))
            let route = Route(
                deviceID: id, extensionIdentifier: record.extensionIdentifier, linkSession: UUID().uuidString,
                features: record.features)
            routes[id] = route
            await runner.acquire(record.extensionIdentifier, reason: Self.reason(id))
            takeUp(route, cause: HostError(.sessionFailed, "The daemon ended while the device was in use."))
        }
        routes[id]?.features = record.features
        routes[id]?.holders.insert(record.id)
        applicationRoutes.adopt(record)
        Task { [clock, timing] in
            guard (try? await clock.sleep(for: timing.recovery)) != nil,
                let ended = self.applicationRoutes.giveUp(record.id)
            else { return }
            await dropRecord(ended)
            await releaseAll(holder: ended.id)
        }
    }

    private func keepRecord(_ route: ApplicationRoute) async {
        do {
            try await store.keep(route)
        } catch {
            report(HostError(.storageFailed, "A route will be forgotten if the daemon dies: \(error)"))
        }
    }

    private func dropRecord(_ route: ApplicationRoute) async {
        do {
            try await store.dropApplicationRoute(id: route.id)
        } catch {
            report(HostError(.storageFailed, "The end of a route cannot be stored: \(error)"))
        }
    }

    // MARK: Support

    private func isHeld(_ route: ApplicationRoute) -> Bool {
        routes.values.contains { $0.holders.contains(route.id) }
    }

    private func applicationTurns(_ application: String) -> Turns {
        if let turns = turnsOfApplications[application] { return turns }
        let turns = Turns()
        turnsOfApplications[application] = turns
        return turns
    }
}
