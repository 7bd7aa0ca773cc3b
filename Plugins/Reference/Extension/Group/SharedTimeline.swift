import ReferenceProtocol

/// Keeps receivers that play the same on one timeline: what each is to be told, and when. A value without I/O.
///
/// Playback is a line: at a moment of this machine's clock it is at a position, and moves on from there at the wanted rate.
/// Every receiver is told that line in its own clock (`start`), so that it does not matter when it hears of it. What people
/// do at one receiver is done at all of them.
struct SharedTimeline<Member: Hashable & Sendable>: Sendable {
    struct Order: Hashable, Sendable {
        var member: Member
        var command: ReferenceCommand
    }

    private struct Part {
        var clock = ClockEstimate()
        /// Its data has come.
        var isOpen = false
        /// When it is at the line's position, on its own clock, as it was told; `nil` if it was not.
        var told: Double?
    }

    /// Seconds from the order to a common start, for everybody to hear of it.
    static var lead: Double { 0.25 }
    /// How far a receiver may be from the line, in seconds.
    static var tolerance: Double { 0.005 }
    /// Farther from the line than that it was moved by somebody.
    private static var jump: Double { 1 }

    private var parts: [Member: Part] = [:]
    /// The order of arrival.
    private var members: [Member] = []
    private var position: Double
    /// When it is at ``position``, on this machine's clock; `nil` before it has begun.
    private var time: Double?
    private(set) var isPlaying = true
    private(set) var speed = 1.0
    private(set) var scanSpeed = 0.0

    /// Something that begins at a position once everybody has its data.
    init(beginningAt position: Double) { self.position = position }

    /// Something that plays on a receiver already.
    init(joining state: ReferencePlayback, of member: Member, clock: ClockEstimate, now: Double) {
        self.init(beginningAt: state.position)
        add(member, clock)
        parts[member]?.isOpen = true
        take(over: state, of: member, now)
    }

    var hasBegun: Bool { time != nil }

    func contains(_ member: Member) -> Bool { parts[member] != nil }

    private var rate: Double { isPlaying ? (scanSpeed == 0 ? speed : scanSpeed) : 0 }

    /// Where playback is, and how it moves on: not yet while the common start is still to come.
    func place(at now: Double) -> (position: Double, rate: Double) {
        guard let time else { return (position, 0) }
        return (max(0, position + rate * max(0, now - time)), now < time ? 0 : rate)
    }

    // MARK: Members

    mutating func add(_ member: Member, _ clock: ClockEstimate = ClockEstimate()) {
        guard parts[member] == nil else { return }
        members.append(member)
        parts[member] = Part(clock: clock)
    }

    mutating func remove(_ member: Member, now: Double) -> [Order] {
        parts[member] = nil
        members.removeAll { $0 == member }
        return hasBegun ? [] : beginIfReady(now)
    }

    /// The receiver has the media and waits.
    mutating func opened(_ member: Member, now: Double) -> [Order] {
        guard parts[member]?.isOpen == false else { return [] }
        parts[member]?.isOpen = true
        return hasBegun ? align(member, now) : beginIfReady(now)
    }

    /// Exchanges with the receiver's clock.
    mutating func measured(_ member: Member, _ exchanges: [ClockEstimate.Exchange], now: Double) -> [Order] {
        for exchange in exchanges { parts[member]?.clock.add(exchange) }
        return hasBegun ? align(member, now) : beginIfReady(now)
    }

    /// Too long for those that are not ready: the others begin, and these find them when they are.
    mutating func beginWithoutWaiting(now: Double) -> [Order] {
        guard !hasBegun, parts.values.contains(where: { $0.isOpen && $0.clock.offset(at: now) != nil }) else {
            return []
        }
        time = now + Self.lead
        return startAll(now)
    }

    private mutating func beginIfReady(_ now: Double) -> [Order] {
        guard !parts.isEmpty, parts.values.allSatisfy({ $0.isOpen && $0.clock.offset(at: now) != nil }) else {
            return []
        }
        return beginWithoutWaiting(now: now)
    }

    // MARK: What people want

    mutating func pause(now: Double) -> [Order] {
        guard isPlaying else { return [] }
        position = place(at: now).position
        isPlaying = false
        scanSpeed = 0
        if hasBegun { time = now }
        return tell(.pause)
    }

    mutating func resume(now: Double) -> [Order] {
        guard !isPlaying else { return [] }
        isPlaying = true
        guard hasBegun else { return beginIfReady(now) }
        time = now + Self.lead
        return startAll(now)
    }

    mutating func seek(to target: Double, now: Double) -> [Order] {
        position = max(0, target)
        guard hasBegun else { return tell(.seek(position: position)) }
        guard isPlaying else { return tell(.seek(position: position)) }
        time = now + Self.lead
        return startAll(now)
    }

    mutating func setSpeed(_ speed: Double, now: Double) -> [Order] {
        reanchor(now)
        self.speed = speed
        return tell(.setSpeed(speed: speed)) + startAll(now)
    }

    mutating func scan(_ speed: Double, now: Double) -> [Order] {
        reanchor(now)
        scanSpeed = speed
        return tell(.scan(speed: speed)) + startAll(now)
    }

    // MARK: The receivers' word

    /// What a receiver tells of itself, while nothing it was told is unanswered: it is where it should be, or somebody has
    /// done something there.
    mutating func heard(_ state: ReferencePlayback, from member: Member, now: Double) -> [Order] {
        guard hasBegun, let part = parts[member], part.told != nil, !state.isBuffering, !state.isHeld,
            let here = moment(of: state, part, now)
        else { return [] }
        let place = place(at: here)
        let isDifferent =
            state.isPlaying != isPlaying || state.speed != speed || state.scanSpeed != scanSpeed
            || abs(state.position - place.position) > Self.jump
        if isDifferent {
            let (oldSpeed, oldScan) = (speed, scanSpeed)
            take(over: state, of: member, now)
            let changes: [ReferenceCommand] =
                (speed == oldSpeed ? [] : [.setSpeed(speed: speed)])
                + (scanSpeed == oldScan ? [] : [.scan(speed: scanSpeed)])
            let told = changes.flatMap { tell($0, except: member) }
            return told
                + (isPlaying
                    ? startAll(now, except: member)
                    : tell(.pause, except: member)
                        + tell(.seek(position: position), except: member))
        }
        guard isPlaying, state.rate != 0, abs(state.position - place.position) > Self.tolerance * max(1, abs(rate))
        else {
            return []
        }
        return start(member, now)
    }

    /// The line is where the receiver says it is.
    private mutating func take(over state: ReferencePlayback, of member: Member, _ now: Double) {
        isPlaying = state.isPlaying
        speed = state.speed
        scanSpeed = state.scanSpeed
        position = state.position
        time = parts[member].flatMap { moment(of: state, $0, now) } ?? now
        parts[member]?.told = state.time
    }

    /// When the state held, on this machine's clock.
    private func moment(of state: ReferencePlayback, _ part: Part, _ now: Double) -> Double? {
        part.clock.offset(at: now).map { state.time - $0.value }
    }

    // MARK: Orders

    private mutating func reanchor(_ now: Double) {
        guard let time else { return }
        position = place(at: now).position
        self.time = max(time, now)
    }

    /// Tells the member the line where it was not told yet, or where its clock has drifted since.
    private mutating func align(_ member: Member, _ now: Double) -> [Order] {
        guard isPlaying, let part = parts[member], part.isOpen, let time, let offset = part.clock.offset(at: now) else {
            return []
        }
        if let told = part.told, abs(time + offset.value - told) * max(1, abs(rate)) <= Self.tolerance { return [] }
        return start(member, now)
    }

    private mutating func start(_ member: Member, _ now: Double) -> [Order] {
        guard let time, let offset = parts[member]?.clock.offset(at: now), parts[member]?.isOpen == true else {
            return []
        }
        let moment = time + offset.value
        parts[member]?.told = moment
        return [Order(member: member, command: .start(position: position, at: moment))]
    }

    private mutating func startAll(_ now: Double, except: Member? = nil) -> [Order] {
        guard isPlaying, hasBegun else { return [] }
        return members.filter { $0 != except }.flatMap { start($0, now) }
    }

    private func tell(_ command: ReferenceCommand, except: Member? = nil) -> [Order] {
        members.filter { $0 != except }.map { Order(member: $0, command: command) }
    }
}
