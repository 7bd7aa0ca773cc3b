import Glibc

/// Probes that were begun together; used on the prober's thread.
///
/// While their answers gather, the thread doesn't wait for them: the kernel keeps them, and one look reads all.
struct ProbeBatch {
    private enum Phase {
        case gathering(until: ContinuousClock.Instant)
        /// Its sockets are read for the first time, without waiting.
        case firstLook
        case waiting
    }

    private var phase: Phase
    private var probes: [(index: Int, probe: Probe)]
    private let report: @Sendable ([ProbeReply], Bool) -> Void
    /// A Boolean value that indicates whether everything was reported.
    private(set) var isOver = false

    init(
        _ requests: [ProbeRequest], gathering: Duration?, at now: ContinuousClock.Instant,
        report: @escaping @Sendable ([ProbeReply], Bool) -> Void
    ) {
        phase = gathering.map { .gathering(until: now + $0) } ?? .waiting
        probes = requests.enumerated().map { ($0.offset, Probe($0.element, at: now)) }
        self.report = report
    }

    /// The sockets to wait for now.
    var interests: [pollfd] {
        if case .gathering = phase { return [] }
        return probes.flatMap { $0.probe.sockets.map(\.interest) }
    }

    /// The time at which the batch has to be looked at, whether or not something arrived.
    var next: ContinuousClock.Instant {
        switch phase {
        case .gathering(let end): end
        case .firstLook: .now
        case .waiting: probes.map(\.probe.deadline).min() ?? .now
        }
    }

    mutating func endGathering(at now: ContinuousClock.Instant) {
        if case .gathering(let end) = phase, now >= end { phase = .firstLook }
    }

    /// Processes the events poll(2) returned for ``interests``, and removes them.
    mutating func take(_ events: inout ArraySlice<Int16>) {
        if case .gathering = phase { return }
        for position in probes.indices {
            let count = probes[position].probe.sockets.count
            probes[position].probe.take(Array(events.prefix(count)))
            events = events.dropFirst(count)
        }
    }

    /// Reports the outcomes that are known at `now`; without a time they are final.
    mutating func report(at now: ContinuousClock.Instant?) {
        if case .gathering = phase, now != nil { return }
        var replies: [ProbeReply] = []
        probes.removeAll { index, probe in
            guard let answer = probe.finish(at: now) else { return false }
            replies.append(ProbeReply(index: index, answer: answer))
            return true
        }
        let isFirst = if case .firstLook = phase { true } else { false }
        phase = .waiting
        isOver = probes.isEmpty
        if isFirst || isOver || !replies.isEmpty { report(replies, isOver) }
    }
}
