import Testing

@testable import PlaybackKit

/// Groups of devices that the test answers for.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PlaybackGroupTests {
    @MainActor
    private final class Device: GroupMember {
        var groupReport: PlaybackSnapshot?
        var isSettled = true
        var level: PlayerLevel
        /// The seconds that the clock is ahead of the host's.
        private let ahead: Double
        private(set) var starts: [(position: Double, time: Double)] = []
        private(set) var wishes: [PlayerWish] = []

        init(ahead: Double, volume: Double? = nil, isMuted: Bool? = nil) {
            self.ahead = ahead
            level = PlayerLevel(volume: volume, isMuted: isMuted)
        }

        func readClock() async -> ClockExchange? {
            let now = HostTime.now
            return ClockExchange(sent: now, received: now, remote: now + ahead)
        }

        func start(from position: Double, at time: Double) { starts.append((position, time - ahead)) }
        func perform(_ wish: PlayerWish) { wishes.append(wish) }

        /// Reports that it has data and waits, or plays.
        func report(isHeld: Bool, position: Double = 0) {
            var snapshot = PlaybackSnapshot(isPlaying: true, position: position)
            snapshot.time += ahead
            snapshot.isReady = !isHeld
            groupReport = snapshot
        }
    }

    private func waits(until fits: () -> Bool) async { while !Task.isCancelled, !fits() { await Task.yield() } }

    @Test func severalStartAtTheSameTimeWhenAllHaveData() async throws {
        let (first, second) = (Device(ahead: 100), Device(ahead: -50))
        var changes = 0
        let group = PlaybackGroup<Device> { changes += 1 }
        group.begin([first, second], at: 12)
        first.report(isHeld: true, position: 12)
        group.reported(by: first)
        #expect(!group.hasBegun && first.starts.isEmpty && group.position == 12)
        second.report(isHeld: true, position: 12)
        group.reported(by: second)
        await waits { !second.starts.isEmpty }
        let (one, other) = (try #require(first.starts.first), try #require(second.starts.first))
        #expect(one.position == 12 && other.position == 12 && abs(one.time - other.time) < 0.005)
        #expect(group.hasBegun && changes == 1)
        group.end()
        #expect(group.members.isEmpty)
    }

    @Test func oneThatIsAddedJoinsTheFirstWhereItIs() async throws {
        let (first, second) = (Device(ahead: 7), Device(ahead: 3000))
        let group = PlaybackGroup<Device> {}
        group.add(first)
        first.report(isHeld: false, position: 40)
        group.reported(by: first)
        #expect(group.position == nil, "a device alone has no timeline")
        group.add(second)
        await waits { group.position != nil }
        #expect(second.starts.isEmpty, "it has no data")
        second.report(isHeld: true, position: 40)
        group.reported(by: second)
        await waits { !second.starts.isEmpty }
        #expect(first.starts.isEmpty && second.starts.first.map { abs($0.position - 40) < 1 } == true)

        group.perform(.setPlaying(false))
        #expect(first.wishes == [.setPlaying(false)] && second.wishes == [.setPlaying(false)])
        group.perform(.selectSubtitles("de"))
        #expect(first.wishes.last == .selectSubtitles("de") && second.wishes.last == .selectSubtitles("de"))
        group.remove(first)
        #expect(group.position == nil && group.members.count == 1)
    }

    @Test func showsTheTimelineOfTheGroup() async throws {
        let (first, second) = (Device(ahead: 0), Device(ahead: 1))
        let group = PlaybackGroup<Device> {}
        group.add(first)
        first.report(isHeld: false, position: 40)
        let alone = PlaybackSnapshot(isPlaying: false, position: 3)
        #expect(group.shown(alone, isBuffering: false) == alone)
        group.add(second)
        await waits { group.position != nil }
        let shown = group.shown(alone, isBuffering: false)
        #expect(shown.isPlaying && shown.position >= 40 && shown.rate == 1)
        #expect(group.shown(alone, isBuffering: true).isBuffering)
        group.perform(.setSpeed(2))
        #expect(group.shown(alone, isBuffering: false).speed == 2)
    }

    @Test func theLoudestHasTheVolumeOfTheGroup() {
        let devices = [
            Device(ahead: 0, volume: 0.8, isMuted: true), Device(ahead: 0, volume: 0.4, isMuted: false),
            Device(ahead: 0),
        ]
        let group = PlaybackGroup<Device> {}
        for device in devices { group.add(device) }
        #expect(group.level == PlayerLevel(volume: 0.8, isMuted: false))
        group.perform(.setVolume(0.4))
        #expect(devices.map(\.wishes) == [[.setVolume(0.4)], [.setVolume(0.2)], []])
        devices[1].level.isMuted = true
        #expect(group.level.isMuted == true)
    }
}
