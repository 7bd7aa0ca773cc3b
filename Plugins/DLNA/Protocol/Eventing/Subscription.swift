/// The state of one event subscription, without I/O.
///
/// It is renewed at half of the granted time. After "precondition failed" the device has forgotten it, and a new
/// subscription is made. After ``attemptLimit`` consecutive failures it pauses for ``giveUpPause`` while the caller
/// polls. Every input returns the next actions in order. Times are from any clock that only moves forward.
package struct Subscription: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        case subscribe
        case renew(identifier: String)
        case unsubscribe(identifier: String)
        /// Events were or may have been missed: ask the device for its whole state.
        case resynchronize
        /// No events are coming for now.
        case startPolling
        case stopPolling
    }

    /// The reason why a request to the device got no grant.
    package enum Refusal: Sendable, Hashable {
        /// The device answered with this HTTP status, or with something unreadable (0).
        case status(Int)
        case noAnswer
    }

    /// The answer to an event, and whether to process it.
    package enum Reception: Sendable, Hashable {
        /// New: use it and answer 200.
        case accepted
        /// Already seen: answer 200 and drop it.
        case duplicate
        /// The event belongs to another subscription. The answer is 412, so that the device ends it.
        case foreign
    }

    private enum Phase: Sendable, Hashable {
        case idle
        case subscribing
        case active(Grant)
        case renewing(Grant)
        /// The request failed; `grant` is still good until it expires.
        case waiting(until: Duration, grant: Grant?)
        case ended
    }

    private struct Grant: Sendable, Hashable {
        var identifier: String
        var renewAt: Duration
        /// `nil` is never.
        var expiresAt: Duration?
    }

    package static let attemptLimit = 4
    package static let giveUpPause = Duration.seconds(300)
    private static let longestPause = Duration.seconds(30)
    /// A subscription without end is renewed too, or a restarted device would stay silent unnoticed.
    private static let endlessRenewal = Duration.seconds(900)

    private var phase = Phase.idle
    private var failures = 0
    private var nextSequence: UInt32?
    package private(set) var isPolling = false

    package init() {}

    /// The time at which ``wake(at:)`` is due; `nil` while an answer is pending or nothing is due.
    package var deadline: Duration? {
        switch phase {
        case .active(let grant): grant.renewAt
        case .waiting(let until, _): until
        case .idle, .subscribing, .renewing, .ended: nil
        }
    }

    /// Subscribes, also again for a device that returned or moved. The old subscription is discarded.
    package mutating func start() -> [Action] {
        phase = .subscribing
        failures = 0
        nextSequence = nil
        return [.subscribe]
    }

    package mutating func granted(_ grant: SubscriptionGrant, at now: Duration) -> [Action] {
        if case .ended = phase { return [.unsubscribe(identifier: grant.identifier)] }
        let wasRenewal = if case .renewing(let old) = phase { old.identifier == grant.identifier } else { false }
        if !wasRenewal, phase != .subscribing { nextSequence = nil }
        failures = 0
        phase = .active(
            Grant(
                identifier: grant.identifier, renewAt: now + (grant.timeout.map { $0 / 2 } ?? Self.endlessRenewal),
                expiresAt: grant.timeout.map { now + $0 }))
        return setPolling(false)
    }

    package mutating func refused(_ refusal: Refusal, at now: Duration) -> [Action] {
        switch (phase, refusal) {
        case (.renewing, .status(400..<500)):
            return start() + [.resynchronize]
        case (.renewing(let grant), _):
            failures += 1
            let isAlive = grant.expiresAt.map { now + pause < $0 } ?? (failures < Self.attemptLimit)
            guard isAlive else { return start() + setPolling(true) }
            phase = .waiting(until: now + pause, grant: grant)
            return []
        case (.subscribing, _):
            failures += 1
            phase = .waiting(until: now + pause, grant: nil)
            return setPolling(true)
        case (.idle, _), (.active, _), (.waiting, _), (.ended, _):
            return []
        }
    }

    /// The ``deadline`` has come; too early it does nothing.
    package mutating func wake(at now: Duration) -> [Action] {
        switch phase {
        case .active(let grant) where now >= grant.renewAt, .waiting(_, let grant?) where now >= (deadline ?? now):
            phase = .renewing(grant)
            return [.renew(identifier: grant.identifier)]
        case .waiting(let until, nil) where now >= until:
            phase = .subscribing
            nextSequence = nil
            return [.subscribe]
        default: return []
        }
    }

    /// Processes an event. The first one often arrives before the answer to the subscription.
    package mutating func received(_ headers: EventHeaders) -> (reception: Reception, actions: [Action]) {
        switch phase {
        case .idle, .ended: return (.foreign, [])
        case .waiting(_, nil): return (.foreign, [])
        case .active(let grant), .renewing(let grant), .waiting(_, .some(let grant)):
            guard grant.identifier == headers.identifier else { return (.foreign, []) }
        case .subscribing: break
        }
        guard let expected = nextSequence else {
            nextSequence = EventHeaders.sequence(after: headers.sequence)
            return (.accepted, [])
        }
        if headers.sequence == expected {
            nextSequence = EventHeaders.sequence(after: expected)
            return (.accepted, [])
        }
        // Half of the range is ahead, half behind: that also holds across the wrap.
        guard headers.sequence &- expected < UInt32.max / 2 else { return (.duplicate, []) }
        nextSequence = EventHeaders.sequence(after: headers.sequence)
        return (.accepted, [.resynchronize])
    }

    /// Ends the subscription, also on the device, which would otherwise delay its events for other subscribers.
    package mutating func stop() -> [Action] {
        let grant: Grant? =
            switch phase {
            case .active(let grant), .renewing(let grant): grant
            case .waiting(_, let grant): grant
            case .idle, .subscribing, .ended: nil
            }
        phase = .ended
        return (grant.map { [.unsubscribe(identifier: $0.identifier)] } ?? []) + setPolling(false)
    }

    private var pause: Duration {
        guard failures < Self.attemptLimit else { return Self.giveUpPause }
        return min(.seconds(1 << max(0, failures - 1)), Self.longestPause)
    }

    private mutating func setPolling(_ isOn: Bool) -> [Action] {
        guard isPolling != isOn else { return [] }
        isPolling = isOn
        return [isOn ? .startPolling : .stopPolling]
    }
}
