import Testing

@testable import PlaybackKit

/// Devices are kept together, by their own positions, with clocks and delays the test chooses.
struct SharedTimelineTests {
    /// The largest distance between devices that counts as in step, in seconds.
    private static let bound = 0.025

    /// Two devices with unrelated clocks, and up to 10 ms for an exchange.
    private func pair(beginningAt position: Double = 0) -> SimulatedRoom {
        var room = SimulatedRoom(beginningAt: position, delay: 0.005)
        room.add(1, ahead: 100, drift: 0.0001)
        room.add(2, ahead: 90_000, drift: -0.0001)
        return room
    }

    @Test func theyBeginTogetherWhereTheyAreToBegin() {
        var room = pair(beginningAt: 30)
        #expect(room.positions == [30, 30] && room.spread == 0)
        #expect(room.pass(2) < Self.bound)
        #expect(room.states.values.allSatisfy { $0.rate == 1 })
        #expect(room.positions.allSatisfy { abs($0 - 31.75) < 0.02 }, "two seconds less the lead: \(room.positions)")
    }

    @Test func clocksThatDriftAreFollowed() {
        var room = pair()
        #expect(room.pass(3600) < Self.bound)
        let expected = room.timeline.place(at: room.now).position
        #expect(room.positions.allSatisfy { abs($0 - expected) < Self.bound })
        #expect(expected > 3_599)
    }

    @Test func nobodyBeginsBeforeAllAreReady() {
        var timeline = SharedTimeline<Int>(beginningAt: 0)
        let exchange = ClockExchange(sent: 0, received: 0.001, remote: 7)
        timeline.add(1)
        timeline.add(2)
        #expect(timeline.opened(1, now: 1).isEmpty && timeline.measured(1, [exchange], now: 1).isEmpty)
        #expect(timeline.opened(2, now: 2).isEmpty && !timeline.hasBegun)
        let orders = timeline.measured(2, [exchange], now: 3)
        #expect(orders.map(\.member) == [1, 2] && timeline.hasBegun)
        #expect(timeline.place(at: 3.1) == (0, 0) && timeline.place(at: 4.25) == (1, 1))
        #expect(timeline.opened(2, now: 5).isEmpty, "once")
    }

    @Test func whoTakesTooLongFindsTheOthers() throws {
        var timeline = SharedTimeline<Int>(beginningAt: 10)
        let exchange = ClockExchange(sent: 0, received: 0, remote: 100)
        timeline.add(1)
        timeline.add(2)
        #expect(timeline.beginWithoutWaiting(now: 0).isEmpty, "nobody is ready")
        _ = timeline.opened(1, now: 0)
        _ = timeline.measured(1, [exchange], now: 0)
        #expect(timeline.beginWithoutWaiting(now: 5) == [.init(member: 1, command: .start(position: 10, at: 105.25))])
        _ = timeline.measured(2, [exchange], now: 6)
        #expect(timeline.opened(2, now: 8) == [.init(member: 2, command: .start(position: 10, at: 105.25))])
        #expect(timeline.remove(1, now: 9).isEmpty)
    }

    @Test func withoutTheOneThatWasWaitedForTheOthersBegin() {
        var timeline = SharedTimeline<Int>(beginningAt: 0)
        timeline.add(1)
        timeline.add(2)
        _ = timeline.opened(1, now: 0)
        _ = timeline.measured(1, [.init(sent: 0, received: 0, remote: 0)], now: 0)
        #expect(timeline.remove(2, now: 1).map(\.member) == [1] && timeline.hasBegun)
    }

    @Test func aLateOneJoinsInTheMiddle() {
        var room = pair()
        room.pass(20)
        room.add(3, ahead: -5, drift: 0.0002)
        #expect(room.pass(60) < Self.bound)
        #expect(room.states[3]?.rate == 1)
        room.remove(1)
        #expect(room.pass(60) < Self.bound)
    }

    @Test func oneThatPlaysAloneIsJoinedWithoutAJump() throws {
        var alone = SimulatedRoom(delay: 0.005)
        alone.add(1, ahead: 40, drift: 0.0001)
        alone.pass(10)
        let state = try #require(alone.states[1])
        var clock = ClockEstimate()
        clock.add(.init(sent: alone.now, received: alone.now, remote: state.time))
        var timeline = SharedTimeline(joining: state, of: 1, clock: clock, now: alone.now)
        timeline.add(2)
        _ = timeline.measured(2, [.init(sent: alone.now, received: alone.now, remote: 5)], now: alone.now)
        let orders = timeline.opened(2, now: alone.now + 1)
        #expect(orders.map(\.member) == [2], "the first one is where it is")
        #expect(orders.first?.command == .start(position: state.position, at: 5))
    }

    @Test func allPauseResumeAndMoveTogether() {
        var room = pair()
        room.pass(10)
        room.deliver(room.timeline.pause(now: room.now))
        room.pass(5)
        let paused = room.positions
        #expect(room.states.values.allSatisfy { !$0.isPlaying } && abs(paused[0] - paused[1]) < 0.03)
        room.pass(5)
        #expect(room.positions == paused)
        room.deliver(room.timeline.resume(now: room.now))
        #expect(room.pass(5) < Self.bound)
        #expect(room.states.values.allSatisfy { $0.rate == 1 })

        room.deliver(room.timeline.seek(to: 600, now: room.now))
        #expect(room.pass(5) < Self.bound)
        #expect(room.positions.allSatisfy { abs($0 - 604.75) < 0.02 })
        room.deliver(room.timeline.setSpeed(2, now: room.now))
        room.pass(0.1)
        #expect(room.pass(30) < 2 * Self.bound, "at twice the speed")
        room.deliver(room.timeline.scan(-8, now: room.now))
        room.pass(0.1)
        #expect(room.pass(5) < 8 * Self.bound)
        #expect(room.states.values.allSatisfy { $0.scanSpeed == -8 })
        room.deliver(room.timeline.pause(now: room.now))
        room.deliver(room.timeline.seek(to: 42, now: room.now))
        room.pass(1)
        #expect(room.positions == [42, 42])
    }

    @Test func whatIsDoneAtOneIsDoneAtAll() {
        var room = pair()
        room.pass(10)
        room.atDevice(2, .setPlaying(false))
        #expect(!room.timeline.isPlaying)
        room.pass(1)
        #expect(room.states.values.allSatisfy { !$0.isPlaying })
        room.atDevice(1, .setPlaying(true))
        #expect(room.pass(10) < Self.bound)
        #expect(room.timeline.isPlaying && room.states.values.allSatisfy { $0.rate == 1 })

        room.atDevice(2, .seek(300))
        #expect(room.pass(10) < Self.bound)
        #expect(room.positions.allSatisfy { abs($0 - 310) < 0.03 })
        room.atDevice(1, .setSpeed(0.5))
        #expect(room.pass(10) < Self.bound && room.timeline.speed == 0.5)
    }

    @Test func whatIsBeingLoadedIsNoWish() {
        var room = pair()
        room.pass(10)
        var state = PlaybackSnapshot(isPlaying: true, position: 10, time: room.now)
        state.isBuffering = true
        state.isPlaying = false
        #expect(room.timeline.heard(state, from: 1, now: room.now).isEmpty && room.timeline.isPlaying)
        #expect(room.timeline.heard(state, from: 9, now: room.now).isEmpty, "a stranger")
    }
}
