/// The streams of routed apps that are moved to their routes' sinks, as a value without I/O.
///
/// Its owner passes each state of the sound server to ``plan(_:targets:owner:)`` and carries out the moves. Only streams
/// of apps with a target are moved, each goes back to its own output, and a stream that a person moves meanwhile is left
/// alone from then on.
struct StreamMoves: Sendable {
    /// The sink of an app's route.
    struct Target: Sendable, Hashable {
        /// The identifier of the route.
        let route: String
        let output: String
    }

    struct Move: Sendable, Hashable {
        let stream: UInt32
        let output: String
    }

    struct Plan: Sendable, Hashable {
        var moves: [Move] = []
        /// The apps whose streams wait for the sink of their target.
        var missing: Set<String> = []
    }

    private enum Phase: Sendable, Hashable {
        /// An earlier daemon moved it.
        case restored
        /// The server was asked to move it to the target, and hasn't shown it there yet.
        case moving
        case there
        /// The target's sink is gone, and the stream is back on its own output.
        case away
        /// The server was asked to move it back.
        case returning
    }

    /// The time after a request during which the old output and the default one say nothing: pipewire-pulse 0.3.65 shows
    /// the new one at once, and WirePlumber 0.4.13 uses the default one until it knows a sink that was just made.
    private static let settling = Duration.seconds(3)

    /// A request for a move to the target.
    private struct Request: Sendable {
        let source: String
        let time: Duration
    }

    private struct Entry: Sendable {
        var record: MovedStream
        var phase: Phase
        /// The last request of this daemon.
        var request: Request?

        /// The sink.
        var output: String {
            get { record.output }
            set { record.output = newValue }
        }

        /// Returns a Boolean value that indicates whether a stream may be elsewhere because the move isn't made yet.
        func mayPend(_ stream: ProgramStream, _ server: ProgramStreams, now: Duration) -> Bool {
            guard phase == .there, stream.output != output, let request else { return false }
            return [request.source, server.defaultOutput].contains(stream.output) && now - request.time < settling
        }
    }

    private var entries: [UInt32: Entry] = [:]
    /// Streams that are left alone, and the route during which that holds.
    private var released: [UInt32: String] = [:]

    init(restoring records: [MovedStream] = []) {
        for record in records { entries[record.stream] = Entry(record: record, phase: .restored) }
    }

    /// The moved streams, for the next daemon.
    var records: [MovedStream] { entries.values.map(\.record).sorted { $0.stream < $1.stream } }

    /// The sinks that streams are on, or on the way to or from.
    var outputs: Set<String> { Set(entries.values.map(\.output)) }

    /// Returns the moves that are due.
    ///
    /// - Parameters:
    ///   - targets: The targets by app. Without one, the streams of an app go back.
    ///   - now: The time since any one moment.
    ///   - owner: Returns the app of a stream; `nil` for the stream of another program.
    mutating func plan(
        _ server: ProgramStreams, targets: [String: Target], now: Duration, owner: (ProgramStream) -> String?
    ) -> Plan {
        let existing = Set(server.streams.map(\.id))
        entries = entries.filter { existing.contains($0.key) && $0.value.record.server == server.server }
        released = released.filter { existing.contains($0.key) }
        var plan = Plan()
        for stream in server.streams where !stream.output.isEmpty {
            if let entry = entries[stream.id] {
                if let target = targets[entry.record.application] {
                    keep(stream, entry, at: target, server, now, &plan)
                } else {
                    release(stream, entry, server, now, &plan)
                }
            } else if let application = owner(stream), let target = targets[application],
                released[stream.id] != target.route
            {
                take(stream, of: application, to: target, server, now, &plan)
            }
        }
        return plan
    }

    /// Records that a stream can't be moved. It is left alone while the route lasts.
    mutating func failed(_ move: Move, targets: [String: Target]) {
        guard let entry = entries.removeValue(forKey: move.stream) else { return }
        released[move.stream] = targets[entry.record.application]?.route
    }

    private mutating func take(
        _ stream: ProgramStream, of application: String, to target: Target, _ server: ProgramStreams, _ now: Duration,
        _ plan: inout Plan
    ) {
        guard server.outputs.contains(target.output) else {
            plan.missing.insert(application)
            return
        }
        // A server that remembers the output of a program's last stream puts the next one there by itself.
        let isThere = stream.output == target.output
        let followsDefault = isThere || stream.output == server.defaultOutput
        let record = MovedStream(
            server: server.server, stream: stream.id, application: application, output: target.output,
            origin: followsDefault ? nil : stream.output)
        var entry = Entry(record: record, phase: .there)
        if !isThere { Self.request(stream, &entry, now, &plan) }
        entries[stream.id] = entry
    }

    private static func request(_ stream: ProgramStream, _ entry: inout Entry, _ now: Duration, _ plan: inout Plan) {
        entry.phase = .moving
        entry.request = Request(source: stream.output, time: now)
        plan.moves.append(Move(stream: stream.id, output: entry.output))
    }

    private mutating func keep(
        _ stream: ProgramStream, _ entry: Entry, at target: Target, _ server: ProgramStreams, _ now: Duration,
        _ plan: inout Plan
    ) {
        var entry = entry
        defer { if entries[stream.id] != nil { entries[stream.id] = entry } }
        let isThere = stream.output == target.output
        let wasThere = entry.phase == .there && entry.output == target.output
        guard server.outputs.contains(target.output) else {
            plan.missing.insert(entry.record.application)
            if [.there, .moving].contains(entry.phase), !server.outputs.contains(entry.output) {
                // The server has moved it anywhere.
                goHome(stream, entry, server, &plan)
                entry.phase = .away
            }
            return
        }
        if entry.output == target.output, entry.mayPend(stream, server, now: now) { return }
        let isByHand =
            wasThere || entry.phase == .restored && !isThere && !isExpected(stream.output, entry, server)
        if !isThere, isByHand {
            entries[stream.id] = nil
            released[stream.id] = target.route
        } else if isThere {
            (entry.phase, entry.output) = (.there, target.output)
        } else if entry.phase != .moving || entry.output != target.output {
            entry.output = target.output
            Self.request(stream, &entry, now, &plan)
        }
    }

    private mutating func release(
        _ stream: ProgramStream, _ entry: Entry, _ server: ProgramStreams, _ now: Duration, _ plan: inout Plan
    ) {
        switch entry.mayPend(stream, server, now: now) ? .moving : entry.phase {
        case .returning:
            if stream.output != entry.output { entries[stream.id] = nil }
        case .away: entries[stream.id] = nil
        case .restored:
            if isExpected(stream.output, entry, server) { goHome(stream, entry, server, &plan) }
            entries[stream.id] = nil
        case .there where stream.output != entry.output && server.outputs.contains(entry.output):
            // A person has moved it.
            entries[stream.id] = nil
        case .there where stream.output != entry.output:
            goHome(stream, entry, server, &plan)
            entries[stream.id] = nil
        case .there, .moving:
            goHome(stream, entry, server, &plan)
            entries[stream.id]?.phase = .returning
        }
    }

    private func goHome(_ stream: ProgramStream, _ entry: Entry, _ server: ProgramStreams, _ plan: inout Plan) {
        let origin = entry.record.origin.flatMap { server.outputs.contains($0) ? $0 : nil }
        let home = origin ?? server.defaultOutput
        // Also if it is there already: the server may still remember it as a stream of the sink.
        guard !home.isEmpty, home != entry.output else { return }
        plan.moves.append(Move(stream: stream.id, output: home))
    }

    /// Returns whether a stream of an earlier daemon is where the server or that daemon put it.
    private func isExpected(_ output: String, _ entry: Entry, _ server: ProgramStreams) -> Bool {
        [server.defaultOutput, entry.record.origin, entry.output].contains(output)
    }
}
