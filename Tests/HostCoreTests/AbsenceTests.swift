import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// Requests to a device in use while it doesn't answer.
@Suite(.timeLimit(.minutes(1)))
struct AbsenceTests {
    private static let willing: @Sendable (ExtensionCall) -> [ExtensionMessage] = { call in
        switch call {
        case .activate(let device, let session, _, _): return [.activatedDevice(device: device.id, session: session)]
        case .startSession(let session, _, _, _):
            return [.started(session: session, application: "", state: PlaybackState())]
        default: return []
        }
    }

    private let id = HostUnderTest.device.id
    private let discovery = ScriptedDiscovery()

    /// Plays, and then stops answering.
    private func away(_ timing: HostTiming = .withoutLingering) async throws -> (HostUnderTest, session: String) {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing), discovery: discovery, timing: timing)
        await world.discover()
        let session = try await world.host.play(
            #require(URL(string: "http://media.example/film.mp4")), on: id, application: nil,
            media: MediaInformation(), prompt: nil)
        await world.until { _ in discovery.openCount == 1 }
        discovery.say(false)
        await world.until { await $0.devices.first?.availability == .unreachable }
        return (world, session)
    }

    private static func commands(_ world: HostUnderTest) -> [PlaybackCommand] {
        world.runner.calls.compactMap { if case .playbackCommand(_, let command) = $0 { command } else { nil } }
    }

    @Test func itIsToldWhenItIsBackAndNobodyIsAnsweredBefore() async throws {
        let (world, session) = try await away()
        let isAnswered = Mutex(false)
        let first = Task { try await world.host.command(PlaybackCommand(.setPlaying, flag: true), session: session) }
        await world.until { await $0.postponed[id]?.entries.count == 1 }
        let pause = Task {
            try await world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
            isAnswered.withLock { $0 = true }
        }
        let level = Task { try await world.host.setVolume(0.3, device: id, prompt: nil) }
        await world.until { await $0.postponed[id]?.entries.flatMap(\.tickets).count == 3 }
        #expect(Self.commands(world).isEmpty && !isAnswered.withLock { $0 })
        discovery.say(true)
        try await first.value
        try await pause.value
        try await level.value
        // Only the latest request of each kind is performed.
        #expect(Self.commands(world) == [PlaybackCommand(.setPlaying, flag: false)])
        #expect(world.runner.calls.contains(.setVolume(device: id, level: 0.3)))
        #expect(await world.host.postponed.isEmpty)
        await world.finish()
    }

    /// Its announcement is gone, as when its Avahi died; it answers all the same.
    @Test func oneThatIsOnlyAnnouncedNoMoreIsToldAtOnce() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing), discovery: discovery)
        await world.discover()
        let session = try await world.host.play(
            #require(URL(string: "http://media.example/film.mp4")), on: id, application: nil,
            media: MediaInformation(), prompt: nil)
        world.runner.emit(.message(.lostDevice(id: id)))
        await world.until { await $0.devices.first?.availability == .unreachable }
        try await world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        #expect(Self.commands(world) == [PlaybackCommand(.setPlaying, flag: false)])
        await world.finish()
    }

    /// It was found at another address that hasn't been tried yet.
    @Test func oneThatIsFoundElsewhereIsTold() async throws {
        let (world, session) = try await away()
        let pause = Task { try await world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session) }
        await world.until { await $0.postponed[id]?.entries.count == 1 }
        var moved = HostUnderTest.device
        moved.endpoints = ["10.0.0.99:1400"]
        world.runner.emit(.message(.foundDevice(moved)))
        try await pause.value
        #expect(Self.commands(world) == [PlaybackCommand(.setPlaying, flag: false)])
        await world.finish()
    }

    @Test func whatCannotBeSaidTwiceIsRefused() async throws {
        let (world, session) = try await away()
        let error = await #expect(throws: HostError.self) {
            try await world.host.command(PlaybackCommand(.setScanSpeed, number: 2), session: session)
        }
        #expect(error?.code == .unreachable)
        let step = await #expect(throws: HostError.self) {
            try await world.host.changeVolume(by: 1, device: id, prompt: nil)
        }
        #expect(step?.code == .unreachable && step?.message == "Living Room does not answer.")
        await world.finish()
    }

    @Test func whoWaitsInVainIsTold() async throws {
        var timing = HostTiming.withoutLingering
        timing.patience = .milliseconds(50)
        let (world, session) = try await away(timing)
        let error = await #expect(throws: HostError.self) {
            try await world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        }
        #expect(error?.code == .unreachable)
        // A cancelled request isn't performed later.
        discovery.say(true)
        await world.until { await $0.devices.first?.availability == .ready }
        #expect(Self.commands(world).isEmpty)
        await world.finish()
    }

    @Test func itsExtensionsSuccessorTellsIt() async throws {
        let (world, session) = try await away()
        let pause = Task { try await world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session) }
        await world.until { await $0.postponed[id]?.entries.count == 1 }
        world.runner.crash()
        await world.until { await $0.recoveries[id]?.wishes.entries.count == 1 }
        #expect(await world.host.postponed.isEmpty)
        pause.cancel()
        _ = try? await pause.value
        await world.finish()
    }

    @Test func stoppingSaysThatItMayPlayOn() async throws {
        var timing = HostTiming.withoutLingering
        timing.farewell = .milliseconds(50)
        let (world, session) = try await away(timing)
        let error = await #expect(throws: HostError.self) { try await world.host.stop(session) }
        #expect(error?.code == .unreachable && error?.message == "Living Room does not answer, and may play on.")
        #expect(await world.host.liveSessions.isEmpty)
        await world.finish()
    }

    @Test func stoppingWaitsForItForAWhile() async throws {
        let (world, session) = try await away()
        let stop = Task { try await world.host.stop(session) }
        discovery.say(true)
        try await stop.value
        #expect(world.runner.calls.contains { if case .stopSession = $0 { true } else { false } })
        await world.finish()
    }
}
