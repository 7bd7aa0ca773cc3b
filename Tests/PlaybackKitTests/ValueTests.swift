import Foundation
import PlaybackKit
import Testing

@testable import PlaybackKit

struct ValueTests {
    // MARK: Wishes

    @Test func ofAKindOnlyTheLatestWaits() {
        var queue = WishQueue()
        for wish: PlayerWish in [.setVolume(0.1), .seek(3), .setVolume(0.2), .setVolume(0.3)] { queue.add(wish) }
        #expect(queue.waiting == [.seek(3), .setVolume(0.3)])
        #expect(queue.takeFirst() == .seek(3))
        queue.putBack(.seek(3))
        #expect(queue.waiting == [.seek(3), .setVolume(0.3)])
        queue.putBack(.setVolume(0.1))
        #expect(queue.waiting == [.seek(3), .setVolume(0.3)], "a newer one has come")
    }

    @Test func stepsAddUpWithinBounds() {
        var queue = WishQueue()
        queue.add(.changeVolume(2))
        queue.add(.changeVolume(-5))
        #expect(queue.waiting == [.changeVolume(-3)])
        queue.add(.changeVolume(.max))
        #expect(queue.waiting == [.changeVolume(100)])
    }

    @Test func whatIsAboutMediaEndsWithIt() {
        var queue = WishQueue()
        for wish: PlayerWish in [.setPlaying(false), .setMuted(true), .selectAudio("1"), .setSpeed(2)] {
            queue.add(wish)
        }
        queue.mediaEnded()
        #expect(queue.waiting == [.setMuted(true)])
        #expect(queue.removeAll() == [.setMuted(true)] && queue.isEmpty)
    }

    // MARK: Levels

    @Test func aLevelThatWasAskedForCountsAsReached() {
        var level = DeviceLevel()
        #expect(level.volume == 0 && !level.isMuted)
        var isNew = level.take(PlayerLevel(volume: 0.5, isMuted: false), settled: [.volume, .mute])
        #expect(isNew)
        level.ask(.setVolume(0.333))
        level.ask(.setMuted(true))
        level.ask(.seek(3))
        #expect(level.volume == 0.333 && level.isMuted)
        // The device rounds, and reports it while the request counts, and again afterwards.
        isNew = level.take(PlayerLevel(volume: 0.33, isMuted: false), settled: [])
        #expect(isNew && level.volume == 0.333 && level.isMuted)
        isNew = level.take(PlayerLevel(volume: 0.33, isMuted: true), settled: [.volume, .mute])
        #expect(isNew && level.volume == 0.33 && level.isMuted)
        isNew = level.take(PlayerLevel(volume: 0.33, isMuted: true), settled: [.volume, .mute])
        #expect(!isNew)
        level.ask(.setVolume(0.9))
        level.settle([.volume])
        #expect(level.volume == 0.33, "the request failed")
    }

    // MARK: Reconnecting

    @Test func pausesDoubleAndTheLimitHolds() {
        var schedule = ReconnectPolicy.Schedule(ReconnectPolicy())
        var elapsed = Duration.zero
        var pauses: [Duration] = []
        while let pause = schedule.next(elapsed: elapsed) {
            pauses.append(pause)
            elapsed += pause
        }
        #expect(
            pauses.prefix(6) == [
                .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5),
            ])
        #expect(elapsed == .seconds(60), "the last attempt is at the limit")
    }

    // MARK: Positions

    private func snapshot(_ position: Double, at time: Double, plays: Bool = true) -> PlaybackSnapshot {
        PlaybackSnapshot(isPlaying: plays, position: position, time: time)
    }

    @Test func aPositionIsPublishedOnDiscontinuityOnly() {
        var tracker = PositionTracker()
        #expect(tracker.observe(snapshot(0, at: 100)) == .init(value: 0, time: 100, rate: 1))
        #expect(tracker.observe(snapshot(9.3, at: 110)) == nil, "as foretold, within the tolerance")
        #expect(tracker.observe(snapshot(40, at: 111)) == .init(value: 40, time: 111, rate: 1), "a seek")
        #expect(tracker.observe(snapshot(42, at: 113, plays: false)) == .init(value: 42, time: 113, rate: 0))
        #expect(tracker.observe(snapshot(42, at: 120, plays: false)) == nil)
        #expect(tracker.observe(snapshot(42.2, at: 121, plays: false)) != nil, "a paused position is exact")
    }

    @Test func anExactDeviceHasItsPositionPublishedSooner() {
        var tracker = PositionTracker()
        var exact = snapshot(0, at: 100)
        exact.positionTolerance = 0.02
        _ = tracker.observe(exact)
        exact.position = 9.3
        exact.time = 109.31
        #expect(tracker.observe(exact) == nil)
        exact.position = 9.4
        #expect(tracker.observe(exact)?.value == 9.4)
    }

    @Test func aFrozenPositionIsWhereItWas() {
        var tracker = PositionTracker()
        #expect(tracker.freeze(at: 5) == nil)
        _ = tracker.observe(snapshot(10, at: 100))
        #expect(tracker.freeze(at: 104) == .init(value: 14, time: 104, rate: 0))
        #expect(tracker.freeze(at: 110) == nil)
        #expect(tracker.observe(snapshot(20, at: 110))?.value == 20)
    }

    @Test func aBufferingPositionStands() {
        var buffering = snapshot(3, at: 1)
        buffering.isBuffering = true
        #expect(buffering.rate == 0)
        var fast = snapshot(3, at: 1)
        fast.speed = 2
        #expect(fast.rate == 2)
        fast.scanSpeed = -8
        #expect(fast.rate == -8)
    }

    // MARK: Activation

    private let request = SecretRequest(.password, reason: "It wants a password.")

    @Test func theStoredSecretThenNoneThenAPerson() {
        var flow = ActivationFlow(name: "Room", stored: Data("old".utf8))
        #expect(flow.first == .open(.stored(Data("old".utf8))))
        #expect(flow.refused(.secretRejected(reason: "Wrong.", retryAfter: nil)) == .forgetAndOpen)
        let reason = "“Room” doesn't accept the stored password any longer. It wants a password."
        #expect(flow.refused(.secretRequired(request)) == .ask(SecretRequest(.password, reason: reason)))
        #expect(flow.answered("new") == .open(.entered("new")))
        #expect(flow.opened(toStore: nil) == .finish(store: Data("new".utf8)))
        #expect(flow.opened(toStore: Data([1])) == .finish(store: Data([1])), "a key in place of the code")
    }

    @Test func aDeviceWithoutASecretStoresNothing() {
        let flow = ActivationFlow(name: "Room", stored: nil)
        #expect(flow.first == .open(.none) && flow.opened(toStore: nil) == .finish(store: nil))
    }

    @Test func wrongCodesAndCancellationsSaySo() {
        var flow = ActivationFlow(name: "Room", stored: nil)
        _ = flow.refused(.secretRequired(request))
        _ = flow.answered("bad")
        #expect(
            flow.refused(.secretRejected(reason: "Wrong.", retryAfter: .seconds(30)))
                == .fail(MediaDeviceError(.authorizationFailed, reason: "Wrong. Try again in 30 seconds.")))
        #expect(
            flow.answered(nil)
                == .fail(MediaDeviceError(.authorizationFailed, reason: "Pairing with “Room” was cancelled.")))
        let gone = MediaDeviceError(.connectionFailed, reason: "Gone.")
        #expect(flow.refused(.failed(gone)) == .fail(gone))
    }

    // MARK: Devices

    private static let one = SightingSource.bonjour("_one._tcp")
    private static let two = SightingSource.bonjour("_two._tcp")

    private func sighting(_ source: SightingSource, _ name: String, port: NWEndpoint.Port = 1) -> Sighting {
        Sighting(source, name: name, endpoints: [.hostPort(host: "192.0.2.1", port: port)])
    }

    private func changes(
        _ catalogue: inout DeviceCatalogue, _ source: SightingSource, _ sightings: Set<Sighting>
    ) -> [String] {
        let identities = { (all: [Sighting]) in Dictionary(uniqueKeysWithValues: all.map { ($0, $0.name) }) }
        return catalogue.update(source, sightings, identities: identities) { name, sightings in
            MediaOutputDevice(
                id: UUID(version5: name), displayName: name, capabilities: .urlPlayback,
                requiredNetworkEndpoints: sightings.flatMap(\.endpoints))
        }
        .map { change in
            switch change {
            case .found(let device): "found \(device.displayName) \(device.networkEndpoints.count)"
            case .updated(let device): "updated \(device.displayName) \(device.networkEndpoints.count)"
            case .lost(let device): "lost \(device.displayName)"
            }
        }
    }

    @Test func sightingsOfOneIdentityAreOneDevice() {
        var catalogue = DeviceCatalogue(sources: [Self.one, Self.two])
        #expect(changes(&catalogue, Self.one, [sighting(Self.one, "A")]) == ["found A 1"])
        #expect(changes(&catalogue, Self.one, [sighting(Self.one, "A")]) == [])
        #expect(changes(&catalogue, Self.two, [sighting(Self.two, "A", port: 2)]) == ["updated A 2"])
        #expect(changes(&catalogue, Self.one, []) == ["updated A 1"])
        #expect(changes(&catalogue, Self.two, []) == ["lost A"])
        #expect(catalogue.devices.isEmpty)
    }

    /// Two devices of one name get longer names, the first one too.
    @Test func aDeviceIsUpdatedWhenAnotherOneChangesItsName() {
        var catalogue = DeviceCatalogue(sources: [Self.one])
        func update(_ sightings: Set<Sighting>) -> [String] {
            var count = 0
            let changes = catalogue.update(Self.one, sightings) { all in
                count = all.count
                return Dictionary(uniqueKeysWithValues: all.map { ($0, $0.name) })
            } device: { name, sightings in
                MediaOutputDevice(
                    id: UUID(version5: name), displayName: count > 1 ? "Room (\(name))" : "Room",
                    capabilities: .urlPlayback, requiredNetworkEndpoints: sightings.flatMap(\.endpoints))
            }
            return changes.map { change in
                switch change {
                case .found(let device): "found \(device.displayName)"
                case .updated(let device): "updated \(device.displayName)"
                case .lost(let device): "lost \(device.displayName)"
                }
            }
        }
        #expect(update([sighting(Self.one, "a")]) == ["found Room"])
        #expect(
            update([sighting(Self.one, "a"), sighting(Self.one, "b")]) == ["updated Room (a)", "found Room (b)"])
        #expect(update([sighting(Self.one, "b")]) == ["lost Room (a)", "updated Room"])
    }
}
