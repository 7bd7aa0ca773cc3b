import Foundation
package import HostInterface
import Synchronization

/// The sinks of devices and groups in the desktop's sound server. Audio for a sink plays on its devices.
///
/// A device starts with the first sound, and is released after a silence. A device that is away is searched for, and
/// its sink returns with it.
package actor SoundSinks: SoundSinkControl {
    /// The time after which a device that didn't answer, but isn't known to be gone, counts as available again.
    private static let absence = Duration.seconds(30)

    private enum Input: Sendable {
        case host(HostChange)
        case server(SoundServerEvent)
    }

    let host: MediaHost
    let server: any SoundServerPort
    let store: any SoundSinkStore
    /// Tells devices what programs play; `nil` without a desktop.
    private let media: SinkMedia?
    let clock: any Clock<Duration>
    /// The title that devices show.
    let title: String
    let report: @Sendable (HostError) -> Void

    var sinks: [String: SoundSink] = [:]
    private var order: [String] = []
    /// The setting for sinks of new devices.
    var following: SinkFollowing
    /// A Boolean value that indicates whether it was logged that no more devices get sinks.
    var isLimitReported = false
    var leveling: [String: Task<Void, Never>] = [:]
    private var starting: [String: Task<Void, Never>] = [:]
    private var absences: [String: Task<Void, Never>] = [:]
    /// The sinks that search for a device because a program plays to them.
    var searches: Set<String> = []
    let arrivals = Expectations<String, Void>()
    var isLooking = false
    /// The task that looks for devices from time to time.
    var patrol: Task<Void, Never>?
    var isOnPatrol = false
    var isClosed = false

    private let inputs = Mailbox<Input>()
    /// The devices with sinks. Changes of others are ignored, unless new ones get sinks.
    private let concerned = Mutex<Set<String>>([])
    let followsDevices: Mutex<Bool>

    /// Creates the sinks.
    ///
    /// - Parameters:
    ///   - following: The setting of an earlier daemon.
    ///   - media: The actor that tells devices what programs play; `nil` without a desktop.
    ///   - title: The title that devices show.
    ///   - report: A function that receives errors without a caller.
    package init(
        host: MediaHost, server: any SoundServerPort, store: any SoundSinkStore,
        following: SinkFollowing = SinkFollowing(), media: SinkMedia? = nil,
        clock: any Clock<Duration> = ContinuousClock(), title: String,
        report: @escaping @Sendable (HostError) -> Void
    ) {
        self.host = host
        self.server = server
        self.store = store
        self.media = media
        self.following = following
        followsDevices = Mutex(following.isOn)
        self.clock = clock
        self.title = title
        self.report = report
    }

    // MARK: What people do

    package var isEmpty: Bool { !following.isOn && sinks.values.allSatisfy { $0.route != nil } }

    package var statuses: [SoundSinkStatus] {
        get async {
            let name = await server.serverName
            return order.compactMap { sinks[$0] }.filter { $0.route == nil }.map { $0.status(server: name) }
        }
    }

    package func add(_ id: String, latency: RequestedLatency?) async throws(HostError) -> SoundSinkStatus {
        if let sink = sinks[id] {
            var record = sink.record
            // It stays, whatever becomes of following.
            record.isAutomatic = false
            if let latency, record.latency != latency.seconds { try await host.checkLatency(of: id) }
            record.ask(latency)
            if record != sink.record {
                try await keep(record)
                sinks[id]?.change(record)
                await show(id)
            }
            return (sinks[id] ?? sink).status(server: await server.serverName)
        }
        let device = try await able(id)
        // Named by one of its parts.
        if device.id != id, sinks[device.id] != nil { return try await add(device.id, latency: latency) }
        if latency != nil { try await host.checkLatency(of: id) }
        try await server.connect()
        let record = SoundSinkRecord(id: device.id, name: device.description.name, latency: latency?.seconds)
        try await keep(record)
        try await changeFollowing { $0.add(device) }
        put(SoundSink(record: record))
        sinks[record.id]?.take(device)
        await show(record.id)
        let name = await server.serverName
        return sinks[record.id]?.status(server: name)
            ?? SoundSinkStatus(id: record.id, name: record.name, state: .ready, server: name ?? "")
    }

    func keep(_ record: SoundSinkRecord) async throws(HostError) {
        do {
            try await store.keep(record)
        } catch {
            throw HostError(.storageFailed, "The sink cannot be stored: \(error)")
        }
    }

    /// Returns a device that plays sound of this computer.
    func able(_ id: String) async throws(HostError) -> HostDevice {
        let device = try await host.shownDevice(id)
        guard device.description.takesLiveSound else {
            throw HostError(.notSupported, "\(device.description.name) doesn't play sound of this computer.")
        }
        return device
    }

    package func remove(_ id: String) async throws(HostError) {
        guard sinks[id] != nil else { throw HostError(.noSuchSink, "The device has no sink.") }
        if sinks[id]?.isGroup == false { try await changeFollowing { $0.remove(id) } }
        do {
            try await store.dropSoundSink(id: id)
        } catch {
            throw HostError(.storageFailed, "The sink cannot be removed: \(error)")
        }
        await drop(id)
    }

    func drop(_ id: String) async {
        guard let sink = sinks.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        noteConcerned()
        absences.removeValue(forKey: id)?.cancel()
        starting.removeValue(forKey: id)?.cancel()
        if sink.record.isAutomatic { isLimitReported = false }
        await server.hide(id)
        if case .playing(let session) = sink.phase { try? await host.stop(session) }
        await look()
    }

    // MARK: Life

    /// Restores the sinks of an earlier daemon.
    package func restore() async {
        do {
            for record in try await store.soundSinks() {
                put(SoundSink(record: record))
                await show(record.id)
            }
        } catch {
            report(HostError(.storageFailed, "The sinks cannot be read: \(error)"))
        }
        await look()
    }

    /// Serves until ``close()``.
    package func run() async {
        let feeding = Task { [server, inputs] in
            for await event in server.events { inputs.yield(.server(event)) }
        }
        for await input in inputs.elements {
            switch input {
            case .host(let change): await take(change)
            case .server(let event): await take(event)
            }
        }
        feeding.cancel()
    }

    /// Removes the sinks from the server. Playback continues.
    package func close() async {
        isClosed = true
        for task in Array(starting.values) + Array(leveling.values) + Array(absences.values) { task.cancel() }
        endPatrol()
        await server.close()
        inputs.finish()
    }

    package nonisolated func hostChanged(_ change: HostChange) {
        let isOfConcern =
            switch change {
            case .device(let device):
                concerned.withLock { $0.contains(device.id) }
                    || followsDevices.withLock { $0 } && SinkFollowing.suits(device)
            case .deviceRemoved(let id): concerned.withLock { $0.contains(id) }
            case .session, .sessionRemoved: concerned.withLock { !$0.isEmpty }
            default: false
            }
        if isOfConcern { inputs.yield(.host(change)) }
    }

    func put(_ sink: SoundSink) {
        if sinks.updateValue(sink, forKey: sink.id) == nil { order.append(sink.id) }
        noteConcerned()
    }

    func noteConcerned() {
        let devices = Set(sinks.values.flatMap(\.deviceIDs))
        concerned.withLock { $0 = devices }
    }

    func show(_ id: String) async {
        guard !isClosed, let sink = sinks[id] else { return }
        if let shown = sink.shown { await server.show(shown) } else { await server.hide(id) }
    }

    // MARK: The host

    private func take(_ change: HostChange) async {
        switch change {
        case .device(let device):
            for (id, before) in sinks where before.deviceIDs.contains(device.id) {
                sinks[id]?.take(device)
                if device.availability == .ready {
                    arrivals.fulfil(id, with: ())
                    if sinks[id]?.isGroup == true { arrived(device.id, in: id, from: before) }
                }
                await changed(id, from: before)
            }
            await follow(device)
        case .deviceRemoved(let device):
            for (id, before) in sinks where before.deviceIDs.contains(device) {
                sinks[id]?.lose(device)
                await changed(id, from: before)
            }
        case .session(let session):
            guard let id = sink(playing: session.id) else { return }
            if session.state == .failed { sinks[id]?.error = session.error }
            await measureDelay(of: id, session)
        case .sessionRemoved(let session):
            guard let id = sink(playing: session), let before = sinks[id] else { return }
            await media?.ended(session)
            sinks[id]?.rest()
            await changed(id, from: before)
        default: break
        }
    }

    func changed(_ id: String, from before: SoundSink) async {
        guard let sink = sinks[id] else { return }
        if !sink.isAway { absences.removeValue(forKey: id)?.cancel() }
        if sink.record != before.record, sink.route == nil { try? await store.keep(sink.record) }
        if sink.shown != before.shown { await show(id) }
        let isMissed = !sink.missing.isSubset(of: before.missing) && (sink.record.isAutomatic || !sink.isAway)
        if isMissed { beginPatrol(by: SinkSearch.absence) }
        if sink.missing != before.missing { await look() }
    }

    // MARK: The server

    private func take(_ event: SoundServerEvent) async {
        switch event {
        case .sound(let id): begin(id)
        // The session tells its end itself.
        case .quiet, .cut: break
        case .level(let level, let id):
            sinks[id]?.wantedLevel = level
            settleLevel(id)
        case .muted(let isMuted, let id):
            sinks[id]?.wantedMute = isMuted
            settleLevel(id)
        }
    }

    private func begin(_ id: String) {
        guard sinks[id] != nil, !isClosed else { return }
        sinks[id]?.phase = .starting
        starting[id]?.cancel()
        starting[id] = Task { await start(id) }
    }

    private func start(_ id: String) async {
        do {
            try await find(id)
            guard let sink = sinks[id] else { return }
            let (session, partial) = sink.isGroup ? try await playTogether(id) : (try await play(sink), nil)
            sinks[id]?.error = partial
            // It may be over already, and then nobody tells of it any more.
            let live = await host.liveSessions.first { $0.id == session }
            sinks[id]?.phase = live == nil ? .silent : .playing(session: session)
            guard let live else { return }
            // Its report may have come before anybody knew whose it is.
            await measureDelay(of: id, live)
            if sink.route == nil { await media?.began(session, on: server.outputName(of: id)) }
        } catch {
            await failed(id, (error as? HostError) ?? HostError(.internalFailure, "\(error)"))
        }
    }

    private func failed(_ id: String, _ error: HostError) async {
        guard let before = sinks[id] else { return }
        await server.shut(id)
        guard before.phase == .starting, error.code != .cancelled else {
            sinks[id]?.phase = .silent
            return await look()
        }
        report(HostError(error.code, "Nothing is heard on \(before.record.name): \(error.message)"))
        sinks[id]?.phase = .silent
        sinks[id]?.error = error
        if error.code == .unreachable || error.code == .timedOut {
            sinks[id]?.missing = Set(before.deviceIDs)
            absences[id]?.cancel()
            absences[id] = Task {
                guard (try? await clock.sleep(for: Self.absence)) != nil else { return }
                await reconsider(id)
            }
        }
        await changed(id, from: before)
        await look()
    }

    /// Checks again a device that didn't answer but wasn't reported as lost.
    private func reconsider(_ id: String) async {
        guard let before = sinks[id], before.isAway else { return }
        for device in before.deviceIDs {
            if let device = try? await host.shownDevice(device) { sinks[id]?.take(device) }
        }
        await changed(id, from: before)
    }
}
