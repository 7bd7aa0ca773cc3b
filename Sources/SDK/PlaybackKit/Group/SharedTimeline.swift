/// The common timeline of devices that play together, and the commands that keep each of them on it. A value without
/// I/O.
///
/// Playback is a line: at a time of the local clock it has a position, from which it advances at the requested rate.
/// Each device gets the line in its own clock (`start`), so the time of the command's arrival doesn't matter. An
/// action of a person at one device applies to all.
struct SharedTimeline<Member: Hashable & Sendable>: Sendable {
    enum Command: Hashable, Sendable {
        /// Play from a position at a time of the device's clock.
        case start(position: Double, at: Double)
        case perform(PlayerWish)
    }

    struct Order: Hashable, Sendable {
        var member: Member
        var command: Command
    }

    private struct Part {
        var clock = ClockEstimate()
        /// A Boolean value that indicates whether its data has arrived.
        var isOpen = false
        /// The time of the line's position on the device's clock, as last sent; `nil` if it wasn't.
        var told: Double?
    }

    /// The seconds from the command to a common start, so that it reaches every device.
    static var lead: Double { 0.25 }
    /// The tolerated difference between a device and the line, in seconds.
    static var tolerance: Double { 0.005 }
    /// The difference in seconds above which a person must have moved the position.
    private static var jump: Double { 1 }

    private var parts: [Member: Part] = [:]
    /// The members in their order of arrival.
    private var members: [Member] = []
    private var position: Double
    /// The time of ``position`` on the local clock; `nil` before the start.
    private var time: Double?
    private(set) var isPlaying = true
    private(set) var speed = 1.0
    private(set) var scanSpeed = 0.0

    /// Creates the timeline of a playback that starts at a position as soon as all members have its data.
    init(beginningAt position: Double) { self.position = position }

    /// Creates the timeline of a playback that already runs on one device.
    init(joining state: PlaybackSnapshot, of member: Member, clock: ClockEstimate, now: Double) {
        self.init(beginningAt: state.position)
        add(member, clock)
        parts[member]?.isOpen = true
        take(over: state, of: member, now)
    }

    var hasBegun: Bool { time != nil }

    func contains(_ member: Member) -> Bool { parts[member] != nil }

    private var rate: Double { isPlaying ? (scanSpeed == 0 ? speed : scanSpeed) : 0 }

    /// Returns the position at a time and the rate, which is 0 before the common start.
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

    /// Records that a device has the media and waits.
    mutating func opened(_ member: Member, now: Double) -> [Order] {
        guard parts[member]?.isOpen == false else { return [] }
        parts[member]?.isOpen = true
        return hasBegun ? align(member, now) : beginIfReady(now)
    }

    /// Records exchanges with a device's clock.
    mutating func measured(_ member: Member, _ exchanges: [ClockExchange], now: Double) -> [Order] {
        for exchange in exchanges { parts[member]?.clock.add(exchange) }
        return hasBegun ? align(member, now) : beginIfReady(now)
    }

    /// Starts without the devices that aren't ready. They join when they are.
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

    // MARK: Requests

    mutating func pause(now: Double) -> [Order] {
        guard isPlaying else { return [] }
        position = place(at: now).position
        isPlaying = false
        scanSpeed = 0
        if hasBegun { time = now }
        return tell(.setPlaying(false))
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
        guard hasBegun else { return tell(.seek(position)) }
        guard isPlaying else { return tell(.seek(position)) }
        time = now + Self.lead
        return startAll(now)
    }

    mutating func setSpeed(_ speed: Double, now: Double) -> [Order] {
        reanchor(now)
        self.speed = speed
        return tell(.setSpeed(speed)) + startAll(now)
    }

    mutating func scan(_ speed: Double, now: Double) -> [Order] {
        reanchor(now)
        scanSpeed = speed
        return tell(.scan(speed)) + startAll(now)
    }

    // MARK: Reports of the devices

    /// Compares a device's report with the line, after it has answered all commands. The device is on the line, or
    /// a person has changed its playback.
    mutating func heard(_ state: PlaybackSnapshot, from member: Member, now: Double) -> [Order] {
        guard hasBegun, let part = parts[member], part.told != nil, state.isReady, !state.isBuffering,
            let here = moment(of: state, part, now)
        else { return [] }
        let place = place(at: here)
        let isDifferent =
            state.isPlaying != isPlaying || state.speed != speed || state.scanSpeed != scanSpeed
            || abs(state.position - place.position) > Self.jump
        if isDifferent {
            let (oldSpeed, oldScan) = (speed, scanSpeed)
            take(over: state, of: member, now)
            let changes: [PlayerWish] =
                (speed == oldSpeed ? [] : [.setSpeed(speed)])
                + (scanSpeed == oldScan ? [] : [.scan(scanSpeed)])
            let told = changes.flatMap { tell($0, except: member) }
            return told
                + (isPlaying
                    ? startAll(now, except: member)
                    : tell(.setPlaying(false), except: member)
                        + tell(.seek(position), except: member))
        }
        guard isPlaying, state.rate != 0, abs(state.position - place.position) > Self.tolerance * max(1, abs(rate))
        else {
            return []
        }
        return start(member, now)
    }

    /// Replaces the line by that of a device's report.
    private mutating func take(over state: PlaybackSnapshot, of member: Member, _ now: Double) {
        isPlaying = state.isPlaying
        speed = state.speed
        scanSpeed = state.scanSpeed
        position = state.position
        time = parts[member].flatMap { moment(of: state, $0, now) } ?? now
        parts[member]?.told = state.time
    }

    /// Returns the time of a device's report on the local clock; `nil` without an estimate of the device's clock.
    private func moment(of state: PlaybackSnapshot, _ part: Part, _ now: Double) -> Double? {
        part.clock.offset(at: now).map { state.time - $0.value }
    }

    // MARK: Orders

    private mutating func reanchor(_ now: Double) {
        guard let time else { return }
        position = place(at: now).position
        self.time = max(time, now)
    }

    /// Sends the line to a member that doesn't have it yet, or whose clock has drifted since.
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

    private func tell(_ wish: PlayerWish, except: Member? = nil) -> [Order] {
        members.filter { $0 != except }.map { Order(member: $0, command: .perform(wish)) }
    }
}
