package import HostInterface

/// Moves the sound that routed apps play by themselves to the devices of their routes, and back afterwards.
///
/// A route gets a sink of its own for as long as its app plays by itself. Streams belong to an app if its process or one
/// that it started plays them.
package actor RoutedStreams {
    private enum Input: Sendable {
        case host(HostChange)
        /// The streams of the sound server changed, or time has passed.
        case look
        /// An earlier daemon may have left sinks.
        case remains
    }

    private let host: MediaHost
    private let server: any ProgramStreamPort
    private let sinks: SoundSinks
    private let store: any MovedStreamStore
    private let ancestry: ProcessAncestry
    private let clock: any Clock<Duration>
    private let uptime: @Sendable () -> Duration
    private let report: @Sendable (HostError) -> Void

    private var sound = OwnSound()
    private var moves = StreamMoves()
    private var records: [MovedStream] = []
    /// The routes with a sink.
    private var shown: [String: RoutedApplication] = [:]
    /// Routes whose sink can't be made, as reported.
    private var unable: Set<String> = []
    private var timer: Task<Void, Never>?
    private let inputs = Mailbox<Input>()

    /// - Parameters:
    ///   - parent: Returns the parent of a process; `nil` for a process that has exited.
    ///   - report: A function that receives errors without a caller.
    package init(
        host: MediaHost, server: any ProgramStreamPort, sinks: SoundSinks, store: any MovedStreamStore,
        parent: @escaping @Sendable (Int32) -> Int32?, clock: any Clock<Duration> = ContinuousClock(),
        report: @escaping @Sendable (HostError) -> Void
    ) {
        self.host = host
        self.server = server
        self.sinks = sinks
        self.store = store
        ancestry = ProcessAncestry(parent: parent)
        self.clock = clock
        uptime = clock.stopwatch()
        self.report = report
    }

    /// Takes over the streams that an earlier daemon moved. Called after the host has restored the routes.
    package func restore() async {
        do {
            records = try await store.movedStreams()
        } catch {
            report(HostError(.storageFailed, "The moved streams of apps cannot be read: \(error)"))
        }
        moves = StreamMoves(restoring: records)
        sound = OwnSound(resuming: Set(records.map(\.application)))
        let routed = await host.routedApplications
        if !records.isEmpty || !routed.isEmpty { inputs.yield(.remains) }
    }

    /// Serves until ``close(movesBack:)``.
    package func run() async {
        let feeding = Task { [server, inputs] in
            for await _ in server.changes { inputs.yield(.look) }
        }
        for await input in inputs.elements {
            switch input {
            case .host(let change): guard take(change) else { continue }
            case .look: break
            case .remains: await sinks.removeRemains()
            }
            await settle()
        }
        feeding.cancel()
    }

    /// Ends the work, after the host has ended.
    ///
    /// - Parameter movesBack: `false` if another daemon takes over.
    package func close(movesBack: Bool) async {
        timer?.cancel()
        inputs.finish()
        if movesBack {
            sound = OwnSound()
            await settle()
        }
        await server.follow(false)
    }

    package nonisolated func hostChanged(_ change: HostChange) {
        switch change {
        case .applicationRoutes, .session, .sessionRemoved: inputs.yield(.host(change))
        default: break
        }
    }

    /// - Returns: `false` if the change makes no difference.
    private func take(_ change: HostChange) -> Bool {
        switch change {
        case .applicationRoutes(let routes):
            sound.take(routes, now: uptime())
            return true
        case .session(let session): return sound.take(session, now: uptime())
        case .sessionRemoved(let id): return sound.ended(id, now: uptime())
        default: return false
        }
    }

    // MARK: Streams

    private func settle() async {
        let (wanted, next) = sound.wanted(now: uptime())
        wakeUp(at: next)
        guard !wanted.isEmpty || !records.isEmpty || !shown.isEmpty else { return await server.follow(false) }
        await server.follow(true)
        var targets: [String: StreamMoves.Target] = [:]
        for route in wanted {
            targets[route.application] = .init(route: route.id, output: sinks.outputName(ofRoute: route.id))
        }
        guard var streams = await server.streams() else { return await hideUnused(targets, moved: []) }
        // PulseAudio keeps the sinks of a daemon that was killed, and nobody reads them.
        for route in wanted where shown[route.id] == nil {
            streams.outputs.remove(sinks.outputName(ofRoute: route.id))
        }
        var processes: [Int32: String] = [:]
        for route in wanted {
            for process in await host.processIDs(of: route.application) { processes[process] = route.application }
        }
        let plan = moves.plan(streams, targets: targets, now: uptime()) { stream in
            processes.isEmpty ? nil : ancestry.nearest(to: stream.processID) { processes[$0] }
        }
        // Before the server is asked: the next daemon knows of them in any case.
        await keepRecords()
        for move in plan.moves {
            do throws(HostError) {
                try await server.move(move.stream, to: move.output)
            } catch {
                moves.failed(move, targets: targets)
                report(HostError(error.code, "A stream stays where it is: \(error.message)"))
            }
        }
        await keepRecords()
        for route in wanted where plan.missing.contains(route.application) { await show(route) }
        await hideUnused(targets, moved: moves.outputs)
    }

    private func keepRecords() async {
        guard moves.records != records else { return }
        records = moves.records
        do {
            try await store.keep(records)
        } catch {
            report(HostError(.storageFailed, "Moved streams will stay if the daemon dies: \(error)"))
        }
    }

    // MARK: Sinks

    private func show(_ route: RoutedApplication) async {
        guard shown[route.id] == nil else { return }
        do throws(HostError) {
            try await sinks.showRoute(
                route.id, of: route.application, named: route.applicationName, on: route.device)
            shown[route.id] = route
            unable.remove(route.id)
        } catch {
            guard unable.insert(route.id).inserted else { return }
            report(HostError(error.code, "\(route.applicationName) plays here, not on its device: \(error.message)"))
        }
    }

    /// Removes the sinks of ended routes, once no moved stream is on them.
    private func hideUnused(_ targets: [String: StreamMoves.Target], moved: Set<String>) async {
        let needed = Set(targets.values.map(\.route))
        for route in shown.values where !needed.contains(route.id) {
            guard !moved.contains(sinks.outputName(ofRoute: route.id)) else { continue }
            shown[route.id] = nil
            await sinks.hideRoute(route.id)
        }
        unable.formIntersection(needed)
    }

    private func wakeUp(at time: Duration?) {
        timer?.cancel()
        guard let time else { return timer = nil }
        timer = Task { [clock, uptime, inputs] in
            guard (try? await clock.sleep(for: time - uptime())) != nil else { return }
            inputs.yield(.look)
        }
    }
}
