/// The devices of one playback, which play the same at the same time.
///
/// A group of several devices has one timeline. Each device gets it in its own clock, and is corrected when its position
/// differs by more than 5 ms. An action of a person at one device applies to all, and a device that is added joins the
/// others where they are. A device alone plays as it likes, without a timeline.
///
/// For an extension that conforms to `MediaDeviceExtension` itself. It loads the media on each device, and tells the
/// group about every report (``reported(by:)``, ``settled(_:)``).
@MainActor
public final class PlaybackGroup<Member: GroupMember> {
    private typealias Timeline = SharedTimeline<ObjectIdentifier>

    /// The devices, in the order in which they were added.
    public private(set) var members: [Member] = []
    /// The common timeline; `nil` for a device alone, and until it is known.
    private var timeline: Timeline?
    /// A Boolean value that indicates whether the first device's clock is being read so that others can join.
    private var isJoining = false
    private var tasks: [Task<Void, Never>] = []
    private let clock: any Clock<Duration>
    private let patience: Duration
    private let changed: @MainActor () -> Void

    /// Creates a group without devices.
    ///
    /// - Parameters:
    ///   - clock: The clock for pauses; tests pass their own.
    ///   - patience: The time for which devices that are ready wait for the others before the common start.
    ///   - changed: Called when the group has begun, and when its timeline has changed afterwards. Show the state again.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), patience: Duration = .seconds(5),
        changed: @escaping @MainActor () -> Void
    ) {
        self.clock = clock
        self.patience = patience
        self.changed = changed
    }

    /// A Boolean value that indicates whether no device waits for a common start.
    public var hasBegun: Bool { timeline?.hasBegun ?? true }

    /// The current position of the timeline in seconds; `nil` without a timeline.
    public var position: Double? { timeline?.place(at: HostTime.now).position }

    /// Returns the state to show: that of a device, with the position, the speed and the rate of the timeline.
    ///
    /// - Parameters:
    ///   - snapshot: The state of the device.
    ///   - isBuffering: `true` if the device waits for data, not only for its start.
    public func shown(_ snapshot: PlaybackSnapshot, isBuffering: Bool) -> PlaybackSnapshot {
        guard let timeline, timeline.hasBegun else { return snapshot }
        var snapshot = snapshot
        snapshot.time = HostTime.now
        let (position, rate) = timeline.place(at: snapshot.time)
        snapshot.position = position
        snapshot.isPlaying = timeline.isPlaying
        snapshot.isBuffering = isBuffering || timeline.isPlaying && rate == 0
        snapshot.speed = timeline.speed
        snapshot.scanSpeed = timeline.scanSpeed
        return snapshot
    }

    // MARK: Members

    /// Begins with devices that load the media. Several start together when all have data; one that hasn't in time joins
    /// the others later.
    ///
    /// - Parameters:
    ///   - members: The devices.
    ///   - position: The position in seconds at which they start.
    public func begin(_ members: [Member], at position: Double) {
        self.members = members
        guard members.count > 1 else { return }
        var timeline = Timeline(beginningAt: position)
        for member in members { timeline.add(ObjectIdentifier(member)) }
        self.timeline = timeline
        keepTogether()
        tasks.append(
            Task { [weak self, clock, patience] in
                guard (try? await clock.sleep(for: patience)) != nil else { return }
                self?.update { $0.beginWithoutWaiting(now: HostTime.now) }
            })
    }

    /// Adds a device: the first one plays already, each other one has loaded the media or is loading it, held.
    public func add(_ member: Member) {
        guard !contains(member) else { return }
        members.append(member)
        guard timeline != nil else { return join() }
        timeline?.add(ObjectIdentifier(member))
        if member.groupReport != nil { update { $0.opened(ObjectIdentifier(member), now: HostTime.now) } }
        compareClock(of: member)
    }

    /// Removes a device. The others continue, and start if they waited only for it.
    public func remove(_ member: Member) {
        members.removeAll { $0 === member }
        update { $0.remove(ObjectIdentifier(member), now: HostTime.now) }
    }

    /// Returns a Boolean value that indicates whether a device belongs to the group.
    public func contains(_ member: Member) -> Bool { members.contains { $0 === member } }

    /// Removes all devices, without commands to them.
    public func end() {
        separate()
        members = []
    }

    private func separate() {
        for task in tasks { task.cancel() }
        tasks = []
        timeline = nil
        isJoining = false
    }

    // MARK: Reports

    /// Processes a device's new ``GroupMember/groupReport``. Call it also after each ``ClockedDevice/readClock()``, when
    /// the reports before the answer are known.
    public func reported(by member: Member) {
        guard timeline != nil else { return join() }
        guard let report = member.groupReport else { return }
        update { $0.opened(ObjectIdentifier(member), now: HostTime.now) }
        if member.isSettled { update { $0.heard(report, from: ObjectIdentifier(member), now: HostTime.now) } }
    }

    /// Processes the answer to the last of a device's commands. Its report may follow.
    public func settled(_ member: Member) {
        if timeline == nil { join() }
    }

    /// Starts a timeline when others join a device that plays alone. Its report and its clock determine the timeline.
    private func join() {
        guard timeline == nil, !isJoining, members.count > 1, let first = members.first else { return }
        isJoining = true
        tasks.append(
            Task { [weak self] in
                let exchanges = await first.readClockRepeatedly()
                guard !Task.isCancelled else { return }
                self?.join(first, exchanges)
            })
    }

    private func join(_ first: Member, _ exchanges: [ClockExchange]) {
        isJoining = false
        // If the timeline doesn't exist yet, the device's next message leads here again.
        guard timeline == nil, members.count > 1, members.first === first, first.isSettled, !exchanges.isEmpty,
            // A pending start has no place on the timeline yet; the device reports when it begins.
            let report = first.groupReport, report.isReady, !report.isBuffering
        else { return }
        var clock = ClockEstimate()
        for exchange in exchanges { clock.add(exchange) }
        timeline = Timeline(joining: report, of: ObjectIdentifier(first), clock: clock, now: HostTime.now)
        for member in members.dropFirst() {
            timeline?.add(ObjectIdentifier(member))
            if member.groupReport != nil { update { $0.opened(ObjectIdentifier(member), now: HostTime.now) } }
        }
        keepTogether()
    }

    // MARK: Requests

    /// Performs a request on all devices. Playing, seeking and the speed change the timeline; the volume of the loudest
    /// device becomes that of the request, and the others keep their relation to it.
    public func perform(_ wish: PlayerWish) {
        let now = HostTime.now
        switch wish {
        case .setPlaying(true) where timeline != nil: update { $0.resume(now: now) }
        case .setPlaying(false) where timeline != nil: update { $0.pause(now: now) }
        case .seek(let position) where timeline != nil: update { $0.seek(to: position, now: now) }
        case .setSpeed(let speed) where timeline != nil: update { $0.setSpeed(speed, now: now) }
        case .scan(let speed) where timeline != nil: update { $0.scan(speed, now: now) }
        case .setVolume(let volume):
            let loudest = level.volume ?? 0
            for member in members {
                guard let own = member.level.volume else { continue }
                member.perform(.setVolume(loudest > 0 ? volume * (own / loudest) : volume))
            }
        default: for member in members { member.perform(wish) }
        }
    }

    /// The level of the group: the volume of the loudest device, and muted if all devices that can be muted are.
    public var level: PlayerLevel {
        let muted = members.compactMap(\.level.isMuted)
        return PlayerLevel(
            volume: members.compactMap(\.level.volume).max(), isMuted: muted.isEmpty ? nil : muted.allSatisfy(\.self))
    }

    // MARK: The timeline

    /// Compares all clocks at once and then at intervals.
    private func keepTogether() {
        tasks.append(
            Task { [weak self, clock] in
                while !Task.isCancelled {
                    for member in self?.members ?? [] { self?.compareClock(of: member) }
                    guard (try? await clock.sleep(for: ClockEstimate.interval)) != nil else { return }
                }
            })
    }

    private func compareClock(of member: Member) {
        Task { [weak self] in
            let exchanges = await member.readClockRepeatedly()
            self?.update { $0.measured(ObjectIdentifier(member), exchanges, now: HostTime.now) }
        }
    }

    /// Changes the timeline and sends the resulting commands.
    private func update(_ change: (inout Timeline) -> [Timeline.Order]) {
        guard var new = timeline else { return }
        let hadBegun = new.hasBegun
        let orders = change(&new)
        timeline = new
        for order in orders {
            guard let member = members.first(where: { ObjectIdentifier($0) == order.member }) else { continue }
            switch order.command {
            case .start(let position, let time): member.start(from: position, at: time)
            case .perform(let wish): member.perform(wish)
            }
        }
        guard new.hasBegun else { return }
        if !orders.isEmpty || !hadBegun { changed() }
        // A single device needs no clock exchange.
        if members.count < 2 { separate() }
    }
}
