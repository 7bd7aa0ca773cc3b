import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore

/// Sinks that devices get because they are found.
@Suite(.timeLimit(.minutes(1)))
struct SinkFollowingTests {
    private static let kitchen = SoundSinksTests.speaker
    private static let id = SoundSinksTests.id

    /// Returns once all changes until now were processed: a sink that a person adds later is there.
    private func settle(_ world: SoundWorld, _ mark: Int = 900) async throws {
        let marker = SoundWorld.speaker(mark)
        await world.find(marker)
        _ = try await world.sinks.add(marker.id, latency: nil)
        world.server.tell(.level(0.11, id: marker.id))
        await world.until { world.server.shown[marker.id]?.level == 0.11 }
        try await world.sinks.remove(marker.id)
    }

    @Test func devicesGetASinkWhenTheyAreFound() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(script: SoundSinksTests.willing), store: store)
        await world.home.discover(Self.kitchen)
        #expect(await world.sinks.isEmpty)
        try await world.sinks.setFollowing(true)
        #expect(await world.sinks.isFollowing)
        #expect(await !world.sinks.isEmpty)
        #expect(world.server.shown[Self.id]?.name == "Kitchen", "it is there already")
        await world.find(SoundWorld.speaker(1))
        await world.until { world.server.shown[SoundWorld.speaker(1).id]?.name == "Speaker 1" }
        #expect(await world.sinks.statuses.map(\.isAutomatic) == [true, true])
        #expect(store.records.withLock { $0.map(\.isAutomatic) } == [true, true])

        _ = try await world.sinks.add(Self.id, latency: nil)
        #expect(store.records.withLock { $0.map(\.isAutomatic) } == [false, true], "a person wants this one")
        try await world.sinks.setFollowing(false)
        await world.find(SoundWorld.speaker(2))
        try await settle(world)
        #expect(await world.sinks.statuses.map(\.name) == ["Kitchen", "Speaker 1"], "they stay")
        await world.finish()
    }

    @Test func aRemovedSinkDoesNotComeBack() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(script: SoundSinksTests.willing), store: store)
        await world.home.discover(Self.kitchen)
        try await world.sinks.setFollowing(true)
        try await world.sinks.remove(Self.id)
        world.home.runner.emit(.message(.lostDevice(id: Self.id)))
        await world.home.until { await !$0.devices.contains { $0.id == Self.id && $0.availability == .ready } }
        await world.find(Self.kitchen)
        try await settle(world)
        #expect(await world.sinks.statuses.isEmpty)
        await world.finish()

        // The next daemon.
        let next = SoundWorld(ScriptedRunner(script: SoundSinksTests.willing), store: store)
        await next.sinks.restore()
        await next.home.discover(Self.kitchen)
        await next.find(SoundWorld.speaker(1))
        await next.until { await next.sinks.statuses.map(\.name) == ["Speaker 1"] }

        // Unless the person changes their mind.
        _ = try await next.sinks.add(Self.id, latency: nil)
        #expect(!store.following.withLock { $0.removed.contains(Self.id) })
        try await next.sinks.remove(Self.id)
        try await next.sinks.setFollowing(false)
        try await next.sinks.setFollowing(true)
        #expect(await Set(next.sinks.statuses.map(\.name)) == ["Kitchen", "Speaker 1"], "none counts as removed")
        await next.finish()
    }

    @Test func notEveryDeviceGetsOne() async throws {
        let world = SoundWorld(ScriptedRunner(script: SoundSinksTests.willing))
        await world.home.host.takeLease("test")
        try await world.sinks.setFollowing(true)
        var computer = SoundWorld.speaker(1)
        computer.endpoints = [ComputerSound.endpoint]
        var screen = SoundWorld.speaker(2)
        screen.capabilities = [.urlPlayback]
        screen.liveFormat = .unsupported
        var neighbor = SoundWorld.speaker(3)
        neighbor.endpoints = ["bluetooth:00-1A-7D-DA-71-13"]
        let (unpaired, paired) = (HostDevice(neighbor, isPaired: false), HostDevice(neighbor, isPaired: true))
        #expect(!SinkFollowing.suits(unpaired) && SinkFollowing.suits(paired))
        for device in [computer, screen] { await world.find(device) }
        try await settle(world)
        #expect(await world.sinks.statuses.isEmpty)
        await world.finish()
    }

    @Test func aFloodOfDevicesGetsNoMoreThanAMixerShows() async throws {
        let world = SoundWorld(ScriptedRunner(script: SoundSinksTests.willing))
        await world.home.host.takeLease("test")
        try await world.sinks.setFollowing(true)
        for number in 1...SinkFollowing.limit + 20 { await world.find(SoundWorld.speaker(number)) }
        // A person can still add one, which doesn't count.
        try await settle(world)
        #expect(world.server.shown.count == SinkFollowing.limit)
        #expect(world.reports.errors.map(\.code) == [.limitExceeded])
        #expect(world.reports.errors.first?.message.hasPrefix("Speaker 33 gets no sink") == true)
        try await world.sinks.remove(SoundWorld.speaker(5).id)
        await world.find(SoundWorld.speaker(999))
        await world.until { world.server.shown[SoundWorld.speaker(999).id] != nil }
        await world.finish()
    }

    /// Discovery isn't open for ever: 12 seconds of every five minutes.
    @Test func theSearchRests() async throws {
        let world = SoundWorld(ScriptedRunner(script: SoundSinksTests.willing))
        try await world.sinks.setFollowing(true)
        for round in 0..<3 {
            await world.clock.slept(times: 2 * round + 1)
            #expect(await !world.home.host.isIdle)
            world.clock.advance(by: SinkSearch.look)
            await world.clock.slept(times: 2 * round + 2)
            #expect(await world.home.host.isIdle)
            world.clock.advance(by: SinkSearch.pause)
        }
        await world.clock.slept(times: 7)
        try await world.sinks.setFollowing(false)
        #expect(await world.home.host.isIdle)
        #expect(await world.sinks.isEmpty)
        await world.finish()
    }

    @Test func aDeviceThatGoesIsAwaitedForAWhile() async throws {
        let world = SoundWorld(ScriptedRunner(script: SoundSinksTests.willing))
        try await world.sinks.setFollowing(true)
        await world.clock.slept(times: 1)
        await world.find(Self.kitchen)
        await world.until { await world.state() == .ready }
        world.clock.advance(by: SinkSearch.look)
        await world.clock.slept(times: 2)
        await world.home.discover(Self.kitchen)
        world.home.runner.emit(.message(.lostDevice(id: Self.id)))
        await world.until { await world.state() == .away }
        await world.home.host.endLease("test")
        await world.clock.slept(times: 3)
        world.clock.advance(by: SinkSearch.absence - .seconds(1))
        #expect(await !world.home.host.isIdle, "it may be restarting")
        world.clock.advance(by: .seconds(1))
        await world.home.until { await $0.isIdle }
        await world.home.discover(Self.kitchen)
        await world.until { await world.state() == .ready }
        await world.finish()
    }

    @Test func noSoundServerMeansNoFollowing() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(script: SoundSinksTests.willing), store: store)
        world.server.setThere(false)
        let error = await #expect(throws: HostError.self) { try await world.sinks.setFollowing(true) }
        #expect(error?.code == .noSoundServer)
        #expect(await !world.sinks.isFollowing)
        #expect(await world.sinks.isEmpty)
        #expect(store.following.withLock { $0 } == SinkFollowing())
        await world.finish()
    }

    @Test func removedDevicesAreRememberedWithinABound() {
        var following = SinkFollowing()
        following.remove("before")
        #expect(following.removed.isEmpty, "only while it is on")
        following.turn(true)
        for number in 0..<SinkFollowing.mostRemoved + 5 { following.remove("\(number)") }
        #expect(following.removed.count == SinkFollowing.mostRemoved && following.removed.first == "5")
        following.remove("7")
        #expect(following.removed.count == SinkFollowing.mostRemoved && following.removed.last == "7")
        var whole = HostDevice(Self.kitchen, isPaired: false)
        #expect(following.wants(whole))
        whole.parts = [
            DevicePart(
                id: "8", name: "Part", extension: "org.example", protocol: "org.example", protocolName: "Example")
        ]
        #expect(!following.wants(whole), "one of its parts was removed")
        following.add(whole)
        #expect(following.wants(whole))
    }
}

extension HostDevice {
    fileprivate init(_ description: DeviceDescription, isPaired: Bool) {
        self.init(
            description: description, extensionIdentifier: "org.example", protocolIdentifier: "org.example",
            protocolName: "Example", availability: .ready)
        self.isPaired = isPaired
    }
}
