import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore

/// Sinks of several devices that play together.
@Suite(.timeLimit(.minutes(1)))
struct GroupSinkTests {
    private static func speaker(_ number: Int) -> DeviceDescription {
        var speaker = SoundWorld.speaker(number)
        speaker.canGroup = true
        return speaker
    }
    private let speakers = (1...3).map(speaker)
    private var ids: [String] { speakers.map(\.id) }

    /// The three speakers are found; those in `refusing` can't be activated.
    private func open(
        refusing: Set<Int> = [], store: MemorySinks = MemorySinks(), _ body: (SoundWorld) async throws -> Void
    ) async throws {
        let refused = Set(refusing.map { Self.speaker($0).id })
        let world = SoundWorld(
            ScriptedRunner { call in
                if case .activate(let device, let session, _, _) = call, refused.contains(device.id) {
                    let error = HostError(.deviceInUse, "\(device.name) plays for somebody else.")
                    return [.failedToActivate(device: device.id, session: session, error: error)]
                }
                return SoundSinksTests.willing(call)
            }, store: store)
        await world.sinks.restore()
        await world.home.host.takeLease("test")
        for speaker in speakers { await world.find(speaker) }
        try await body(world)
        await world.finish()
    }

    /// The devices that play.
    private func players(_ world: SoundWorld) async -> Set<String> {
        Set(await world.home.host.liveSessions.first?.members ?? [])
    }

    @Test func allDevicesPlay() async throws {
        let store = MemorySinks()
        try await open(store: store) { world in
            let sink = try await world.sinks.addGroup(ids.dropLast(), name: nil, latency: nil)
            #expect(sink.name == "Speaker 1 + Speaker 2" && sink.members == ids.dropLast() && sink.state == .ready)
            #expect(store.records.withLock { $0.map(\.members) } == [ids.dropLast()])
            #expect(world.server.shown[sink.id]?.name == "Speaker 1 + Speaker 2")
            world.server.tell(.sound(id: sink.id))
            await world.until { await world.state() == .playing }
            #expect(await players(world) == Set(ids.dropLast()))
            #expect(await world.sinks.statuses.first?.error == nil)
            try await world.sinks.remove(sink.id)
            await world.until { await world.home.host.liveSessions.isEmpty }
            #expect(store.records.withLock { $0.isEmpty })
        }
    }

    @Test func aMissingDeviceJoinsWhenItIsBack() async throws {
        try await open { world in
            let sink = try await world.sinks.addGroup(ids, name: "Downstairs", latency: nil)
            world.home.runner.emit(.message(.lostDevice(id: ids[0])))
            await world.home.until { await !$0.devices.contains { $0.id == ids[0] && $0.availability == .ready } }
            #expect(world.server.shown[sink.id]?.name == "Downstairs", "the others are there")
            world.server.tell(.sound(id: sink.id))
            await world.until {
                world.clock.advance(by: .seconds(1))
                return await world.state() == .playing
            }
            #expect(await players(world) == Set(ids.dropFirst()))
            #expect(await world.sinks.statuses.first?.error?.code == .unreachable)
            await world.find(speakers[0])
            await world.until { await players(world) == Set(ids) }
        }
    }

    @Test func aDeviceThatRefusesDoesNotKeepTheOthersFromPlaying() async throws {
        for refusing in 1...2 {
            try await open(refusing: [refusing]) { world in
                let sink = try await world.sinks.addGroup(ids, name: nil, latency: nil)
                world.server.tell(.sound(id: sink.id))
                await world.until { await world.state() == .playing }
                #expect(await players(world) == Set(ids).subtracting([ids[refusing - 1]]))
                let error = try #require(await world.sinks.statuses.first?.error)
                #expect(error.message == "Speaker \(refusing) plays for somebody else.")
            }
        }
        try await open(refusing: [1, 2, 3]) { world in
            let sink = try await world.sinks.addGroup(ids, name: nil, latency: nil)
            world.server.tell(.sound(id: sink.id))
            await world.until { await world.sinks.statuses.first?.error != nil }
            await world.until { await world.state() == .ready }
            #expect(world.server.shut == [sink.id], "programs are not kept waiting")
        }
    }

    @Test func theVolumeIsThatOfTheGroup() async throws {
        try await open { world in
            let sink = try await world.sinks.addGroup(ids.dropLast(), name: nil, latency: nil)
            for (id, level) in zip(ids, [0.8, 0.4]) {
                try await world.home.host.setVolume(level, device: id, prompt: nil)
            }
            for (id, level) in zip(ids, [0.8, 0.4]) {
                world.home.runner.emit(.message(.volumeChanged(device: id, level: level, isMuted: false)))
            }
            await world.until { world.server.shown[sink.id]?.level == 0.8 }
            world.server.tell(.level(0.4, id: sink.id))
            await world.until { world.server.shown[sink.id]?.level == 0.4 }
            let levels = world.home.runner.calls.compactMap { call in
                if case .setVolume(let device, let level) = call { [device: level] } else { nil }
            }
            #expect(levels.suffix(2).contains([ids[0]: 0.4]) && levels.suffix(2).contains([ids[1]: 0.2]))
        }
    }

    @Test func aGroupIsChangedByItsName() async throws {
        let store = MemorySinks()
        try await open(store: store) { world in
            let first = try await world.sinks.addGroup(ids.dropLast(), name: "Downstairs", latency: nil)
            world.server.tell(.sound(id: first.id))
            await world.until { await world.state() == .playing }
            let second = try await world.sinks.addGroup([ids[2], ids[1]], name: " Downstairs ", latency: nil)
            #expect(second.id == first.id && second.name == "Downstairs" && second.members == [ids[2], ids[1]])
            await world.until { await players(world) == [ids[1], ids[2]] }
            // The same devices by another name.
            let third = try await world.sinks.addGroup([ids[1], ids[2]], name: "Upstairs", latency: nil)
            #expect(third.id == first.id && third.name == "Upstairs")
            #expect(await world.sinks.statuses.count == 1)
        }
        // The next daemon.
        try await open(store: store) { world in
            #expect(await world.sinks.statuses.map(\.name) == ["Upstairs"])
            let id = try #require(await world.sinks.statuses.first?.id)
            world.server.tell(.sound(id: id))
            await world.until { await world.state() == .playing }
            #expect(await players(world) == [ids[1], ids[2]])
        }
    }

    @Test func notEveryPairIsAGroup() async throws {
        let store = MemorySinks()
        try await open(store: store) { world in
            let one = await #expect(throws: HostError.self) {
                try await world.sinks.addGroup([ids[0], ids[0]], name: nil, latency: nil)
            }
            #expect(one?.code == .invalidArgument)
            let single = SoundWorld.speaker(9)
            await world.find(single)
            let alone = await #expect(throws: HostError.self) {
                try await world.sinks.addGroup([ids[0], single.id], name: nil, latency: nil)
            }
            #expect(alone?.code == .cannotGroup)
            let name = await #expect(throws: HostError.self) {
                try await world.sinks.addGroup(ids, name: "A\u{7}", latency: nil)
            }
            #expect(name?.code == .invalidArgument)
            #expect(store.records.withLock { $0.isEmpty })
        }
    }
}
