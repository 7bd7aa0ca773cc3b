import Foundation
import HostInterface

extension MediaHost {
    /// Reads the state of an earlier daemon, and starts to recover its playback. Call it once, before clients are
    /// served.
    ///
    /// When it returns, ``changes`` has everything: sessions show as reconnecting, and local files are served again.
    package func prepare() async {
        guard !isPrepared else { return }
        isPrepared = true
        followLimits()
        followDoubts()
        do {
            credentials.read(try await store.pairedDevices())
        } catch {
            report(HostError(.storageFailed, "Pairings cannot be read: \(error)"))
        }
        await recallPersonsWishes()
        for status in await runner.statuses() {
            statuses[status.id] = status
            outbox.yield(.extensionStatus(status))
        }
        await forgetDevicesOfMissingExtensions()
        do {
            for record in try await store.adoptableSessions() { await restore(record) }
        } catch {
            report(HostError(.storageFailed, "What played before cannot be read: \(error)"))
        }
        await restoreApplicationRoutes()
        await listRememberedDevices()
    }

    /// Prepares for another daemon to take over. Nothing is stopped then.
    package func handOver() { isHandingOver = true }

    /// The files that devices may be reading from this process, by session.
    package var served: [String: ServedFile] {
        var served: [String: ServedFile] = [:]
        for route in routes.values {
            if let session = route.currentSession, let file = route.servedFile { served[session] = file }
        }
        return served
    }

    private func restore(_ record: AdoptableSession) async {
        lastSession = max(lastSession, Int(record.id) ?? 0)
        let id = record.device.id
        // A device plays one session: an older record was on its way out.
        if let older = routes[id]?.currentSession { await finish(older, error: nil, keepRoute: true) }
        publish(registry.seen(recalled(record.device, record.extensionIdentifier)))
        var session = HostSession(
            id: record.id, deviceID: id, source: record.source, application: record.application, media: record.media)
        session.owner = record.owner
        session.request = record.request
        session.state = .reconnecting
        session.takesSamples = record.delivered != nil
        session.entryID = identities.entry(of: id)
        sessions[session.id] = session
        adoptable[session.id] = record
        let isFirst = routes[id] == nil
        let route = Route(
            deviceID: id, extensionIdentifier: record.extensionIdentifier, linkSession: UUID().uuidString,
            currentSession: session.id)
        endRecovery(id)
        routes[id] = route
        if let served = record.servedFile { await serveAgain(served, record) }
        if isFirst { await runner.acquire(record.extensionIdentifier, reason: Self.reason(id)) }
        let cause = HostError(.sessionFailed, "The daemon ended while this played.")
        takeUp(route, cause: cause)
        for other in record.others ?? [] where routes[other.id] == nil {
            publish(registry.seen(recalled(other, record.extensionIdentifier)))
            let route = Route(
                deviceID: other.id, extensionIdentifier: record.extensionIdentifier, linkSession: route.linkSession)
            routes[other.id] = route
            groups.add(other.id, to: id)
            await runner.acquire(record.extensionIdentifier, reason: Self.reason(other.id))
            takeUp(route, cause: cause)
        }
        groupChanged(id)
    }

    /// Returns the device that a record describes.
    func recalled(_ description: DeviceDescription, _ extensionIdentifier: String) -> HostDevice {
        let status = statuses[extensionIdentifier]
        var device = HostDevice(
            description: description, extensionIdentifier: extensionIdentifier,
            protocolIdentifier: status?.protocolIdentifier ?? "", protocolName: status?.protocolName ?? "",
            availability: .remembered)
        device.isPaired = credentials.has(description.id)
        return device
    }

    /// Serves a file again at the same address and port, so that a device can continue to read it.
    private func serveAgain(_ served: ServedFile, _ record: AdoptableSession) async {
        guard let source = URL(string: record.source) else { return }
        do {
            try await files.resume(
                served, of: source, to: ([record.device] + (record.others ?? [])).flatMap(\.mediaReaders))
            routes[record.device.id]?.servedFile = served
        } catch {
            report(
                HostError(
                    .hostUnavailable,
                    "“\(source.lastPathComponent)” is not served again to \(record.device.name): \(error)"))
        }
    }

    // MARK: Records

    /// Stores the data for the adoption of a session, durably when it returns.
    func keepRecord(_ id: String) async {
        guard let record = adoptable[id], record.outlivesDaemon else { return }
        do {
            try await store.keep(record)
        } catch {
            report(HostError(.storageFailed, "What plays will be forgotten if the daemon dies: \(error)"))
        }
        // It ended meanwhile, and its record may have been removed before it was written.
        if adoptable[id] == nil { await removeRecord(id) }
    }

    /// Changes the data for the adoption of a session. A starting session is recorded once it has started.
    func changeRecord(_ id: String, _ change: (inout AdoptableSession) -> Void) {
        guard let before = adoptable[id] else { return }
        var record = before
        change(&record)
        guard record != before else { return }
        adoptable[id] = record
        if sessions[id]?.state != .starting { Task { await keepRecord(id) } }
    }

    func dropRecord(_ id: String) async {
        guard adoptable.removeValue(forKey: id) != nil else { return }
        await removeRecord(id)
    }

    private func removeRecord(_ id: String) async {
        do {
            try await store.dropSession(id: id)
        } catch {
            report(HostError(.storageFailed, "The end of a session cannot be stored: \(error)"))
        }
    }
}
