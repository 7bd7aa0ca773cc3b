import HostInterface
import Testing

@testable import HostCore

@Suite struct SessionEndingTests {
    /// A session that has played from the position since the monotonic time 100 s.
    private func state(
        _ position: Double, of duration: Double, source: String = "http://media.example/song.mp3",
        _ change: (inout PlaybackState) -> Void = { _ in }
    ) -> HostSession {
        var state = PlaybackState()
        state.isPlaying = true
        state.timeRange = .init(start: 0, duration: duration)
        state.position = .init(value: position, hostTime: 100, rate: 1)
        change(&state)
        var session = HostSession(id: "1", deviceID: "x", source: source, application: nil, media: MediaInformation())
        session.playback = state
        return session
    }

    @Test func playbackThatReachedItsEndIsFinished() {
        #expect(SessionEnding(of: state(10, of: 60), at: 150) == .finished)
        #expect(SessionEnding(of: state(58, of: 60), at: 100) == .finished)
        #expect(SessionEnding(of: state(0, of: 2), at: 100) == .finished, "shorter than the tolerance")
        #expect(SessionEnding(of: state(3_540, of: 3_600), at: 100) == .finished, "2 % of an hour")
    }

    @Test func playbackThatEndsEarlierIsInterrupted() {
        #expect(SessionEnding(of: state(10, of: 60), at: 120) == .interrupted)
        #expect(SessionEnding(of: state(0, of: 60), at: 100) == .interrupted)
        let paused = state(42, of: 60) {
            $0.isPlaying = false
            $0.position.rate = 0
        }
        #expect(SessionEnding(of: paused, at: 1_000) == .interrupted)
    }

    @Test func nothingIsClaimedWhereTheStateDoesNotTell() {
        #expect(SessionEnding(of: state(4, of: 12_173, source: PlaybackSource.streamAddress), at: 100) == nil)
        #expect(SessionEnding(of: state(42, of: 0), at: 100) == nil, "unknown length")
        #expect(SessionEnding(of: state(42, of: 60) { $0.isLive = true }, at: 100) == nil)
        let reset = state(0, of: 60) {
            $0.isPlaying = false
            $0.position.rate = 0
        }
        #expect(SessionEnding(of: reset, at: 100) == nil, "the device forgot its position")
    }
}
