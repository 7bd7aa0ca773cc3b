import HostCore
import HostInterface
import Testing

@testable import HostDesktop

struct PlayerClockTests {
    /// Returns whether the step from one view to the next is a jump, both seen at these times.
    private func jumps(_ first: PlayerView, at start: Double, to second: PlayerView, at now: Double) -> Bool {
        PlayerClock(first, now: start).followed(by: second, now: now).jumps
    }

    @Test func positionsRunWhilePlaying() {
        let clock = PlayerClock(.sample(.playing, at: 10, since: 100), now: 100)
        #expect(clock.position(at: 105) == 15)
        #expect(clock.position(at: 1000) == 200, "no further than the end")
        #expect(PlayerClock(.sample(.paused, at: 10, since: 100), now: 100).position(at: 105) == 10)
    }

    @Test func pausingWhereItStandsIsNoJump() {
        #expect(
            !jumps(.sample(.playing, at: 10, since: 100), at: 100, to: .sample(.paused, at: 15, since: 105), at: 105))
        #expect(!jumps(.sample(.paused, at: 15), at: 105, to: .sample(.playing, at: 15, since: 110), at: 110))
    }

    @Test func seekingIs() {
        #expect(
            jumps(.sample(.playing, at: 10, since: 100), at: 100, to: .sample(.playing, at: 90, since: 105), at: 105))
        #expect(jumps(.sample(.paused, at: 10), at: 100, to: .sample(.paused, at: 20), at: 101))
    }

    @Test func whatWasToldLateCounts() {
        // Paused at 15 at the time 105, and known at 108: clients went on to 18 by then.
        #expect(
            jumps(.sample(.playing, at: 10, since: 100), at: 100, to: .sample(.paused, at: 15, since: 105), at: 108))
    }

    @Test func waitingForDataIsAJumpAfterwards() {
        // MPRIS has no such state, so clients continued.
        #expect(jumps(.sample(.buffering, at: 10), at: 100, to: .sample(.playing, at: 10, since: 104), at: 104))
    }

    @Test func anotherTrackBeginsAtItsBeginning() {
        var next = PlayerView.sample(.playing, at: 0, since: 105)
        next.session.state.content?.id = "b"
        #expect(!jumps(.sample(.playing, at: 50, since: 100), at: 100, to: next, at: 105))
        next.session.state.playback?.position?.value = 30
        #expect(jumps(.sample(.playing, at: 50, since: 100), at: 100, to: next, at: 105))
    }

    @Test func rates() {
        var fast = PlayerView.sample(.playing, at: 10, since: 100)
        fast.session.state.playback?.rate = 2
        let clock = PlayerClock(fast, now: 100)
        #expect(clock.position(at: 105) == 20)
        #expect(!clock.followed(by: .sample(.playing, at: 20, since: 105), now: 105).jumps)
    }
}
