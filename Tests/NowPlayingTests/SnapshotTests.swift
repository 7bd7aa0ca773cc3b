import Foundation
import HostInterface
import Testing

@testable import NowPlaying

@Suite("Snapshots")
struct SnapshotTests {
    @Test("rates that nothing can play at stop the program")
    func preconditions() async {
        await #expect(processExitsWith: .failure) { _ = MediaPlaybackSnapshot(state: .playing(rate: 0)) }
        await #expect(processExitsWith: .failure) { _ = MediaPlaybackSnapshot(state: .playing(rate: .nan)) }
        await #expect(processExitsWith: .failure) { _ = MediaPlaybackSnapshot(state: .paused, defaultPlaybackRate: 0) }
        await #expect(processExitsWith: .failure) {
            _ = MediaPlaybackSnapshot(state: .paused, defaultPlaybackRate: .infinity)
        }
        await #expect(processExitsWith: .success) {
            // Rewinding.
            _ = MediaPlaybackSnapshot(state: .playing(rate: -2), defaultPlaybackRate: 0.5)
            exit(0)
        }
    }

    @Test("the position holds for its instant")
    func instants() {
        let now = (hostTime: 100.0, date: Date(timeIntervalSince1970: 1000))
        func playback(_ snapshot: MediaPlaybackSnapshot) -> MediaPlayback { MediaPlayback(snapshot, now: now) }
        let early = playback(
            .init(state: .playing(rate: 2), elapsedTime: 10, timestamp: Date(timeIntervalSince1970: 996)))
        #expect(early.position == .init(value: 10, hostTime: 96))
        #expect(early.position(at: 100, duration: nil) == 18)
        #expect(early.position(at: 100, duration: 15) == 15)
        #expect(playback(.init(state: .paused, elapsedTime: 10)).position == .init(value: 10, hostTime: 100))
        let future = playback(
            .init(state: .playing(), elapsedTime: 10, timestamp: Date(timeIntervalSince1970: 2000)))
        #expect(future.position?.hostTime == 100, "a clock that was set")
        #expect(playback(.init(state: .playing())).position == nil)
        #expect(playback(.init(state: .interrupted, defaultPlaybackRate: 1.5)).rate == 1.5)
    }

    @Test("devices are equal when a person sees the same")
    func devices() {
        func device(_ level: Float) -> MediaDevice {
            MediaDevice(id: "1", name: "Kitchen", type: .speaker, capabilities: [.absoluteVolume(level) { _ in }])
        }
        #expect(device(0.5) == device(0.5) && device(0.5) != device(0.6))
        let relative = MediaDevice(
            id: "1", name: "Kitchen", type: .speaker, capabilities: [.relativeVolume(onIncrement: {}, onDecrement: {})])
        #expect(relative == relative && relative != device(0.5))
        #expect((try? JSONEncoder().encode([MediaDevice.DeviceType.setTopBox])) == Data(#"["setTopBox"]"#.utf8))
    }
}
