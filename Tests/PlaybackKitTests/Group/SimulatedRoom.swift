@testable import PlaybackKit

/// Devices with clocks of their own, a network with delays, and the timeline that keeps them together: everything but sockets,
/// at the pace of the test.
struct SimulatedRoom {
    struct Device {
        var player: SimulatedPlayer
        /// Seconds it is ahead of the true time at 0.
        var ahead: Double
        /// Seconds it goes faster in a second.
        var drift: Double

        func clock(_ time: Double) -> Double { ahead + time * (1 + drift) }
    }

    private struct Delivery {
        var time: Double
        var member: Int
        var command: SharedTimeline<Int>.Command
    }

    private(set) var devices: [Int: Device] = [:]
    var timeline: SharedTimeline<Int>
    /// The true time, which is the clock of the machine that drives them.
    private(set) var now = 0.0
    private var deliveries: [Delivery] = []
    /// The longest way in one direction, in seconds.
    let delay: Double
    private var random: UInt64 = 42

    init(beginningAt position: Double = 0, delay: Double) {
        timeline = SharedTimeline(beginningAt: position)
        self.delay = delay
    }

    /// The same every time.
    private mutating func someDelay() -> Double {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return delay * Double(random >> 40) / Double(1 << 24)
    }

    mutating func add(_ member: Int, ahead: Double, drift: Double) {
        let position = timeline.place(at: now).position
        let start = ahead + now * (1 + drift)
        devices[member] = Device(player: SimulatedPlayer(heldAt: position, now: start), ahead: ahead, drift: drift)
        timeline.add(member)
        deliver(timeline.opened(member, now: now))
        compare(member)
    }

    mutating func remove(_ member: Int) {
        devices[member] = nil
        deliver(timeline.remove(member, now: now))
    }

    /// Exchanges with one clock.
    mutating func compare(_ member: Int) {
        guard let device = devices[member] else { return }
        let exchanges = (0..<4).map { _ in
            let (there, back) = (someDelay(), someDelay())
            return ClockExchange(
                sent: now, received: now + there + back, remote: device.clock(now + there))
        }
        deliver(timeline.measured(member, exchanges, now: now))
    }

    /// Simulates a person who operates the device itself, which reports the change.
    mutating func atDevice(_ member: Int, _ wish: PlayerWish) {
        guard var device = devices[member] else { return }
        device.player.perform(wish, now: device.clock(now))
        devices[member] = device
        deliver(timeline.heard(device.player.report(at: device.clock(now)), from: member, now: now))
    }

    mutating func deliver(_ orders: [SharedTimeline<Int>.Order]) {
        for order in orders {
            // Messages to one device arrive in order.
            let earlier = deliveries.filter { $0.member == order.member }.map(\.time).max() ?? 0
            let time = max(earlier, now + someDelay())
            deliveries.append(Delivery(time: time, member: order.member, command: order.command))
        }
    }

    /// Advances time, with a comparison of every clock each four seconds.
    ///
    /// - Returns: The largest distance between devices, in seconds; devices that don't move are left out.
    @discardableResult
    mutating func pass(_ seconds: Double) -> Double {
        let end = now + seconds
        var worst = 0.0
        while now < end {
            let comparison = (now / 4).rounded(.down) * 4 + 4
            let next = min(end, comparison, deliveries.map(\.time).min() ?? .infinity, now + 0.1)
            now = next
            for delivery in deliveries.filter({ $0.time <= now }).sorted(by: { $0.time < $1.time }) {
                perform(delivery.command, delivery.member)
            }
            deliveries.removeAll { $0.time <= now }
            if now == comparison { for member in devices.keys.sorted() { compare(member) } }
            if deliveries.isEmpty { worst = max(worst, spread) }
        }
        return worst
    }

    private mutating func perform(_ command: SharedTimeline<Int>.Command, _ member: Int) {
        guard var device = devices[member] else { return }
        let time = device.clock(now)
        switch command {
        case .start(let position, let moment): device.player.start(from: position, at: moment)
        case .perform(let wish): device.player.perform(wish, now: time)
        }
        devices[member] = device
        // Reported after the answer, so no request is pending then.
        if !deliveries.contains(where: { $0.member == member && $0.time > now }) {
            deliver(timeline.heard(device.player.report(at: time), from: member, now: now))
        }
    }

    /// The devices' own current states.
    var states: [Int: PlaybackSnapshot] { devices.mapValues { $0.player.report(at: $0.clock(now)) } }

    var positions: [Double] { states.sorted { $0.key < $1.key }.map(\.value.position) }

    /// The largest distance between the playing devices, in seconds.
    var spread: Double {
        let moving = states.values.filter { $0.rate != 0 }.map(\.position)
        return (moving.max() ?? 0) - (moving.min() ?? 0)
    }
}
