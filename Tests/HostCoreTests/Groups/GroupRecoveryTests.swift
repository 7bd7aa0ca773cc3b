import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// Members are lost and come back; extensions and daemons die while devices play together.
@Suite(.timeLimit(.minutes(1)))
struct GroupRecoveryTests {
    private let home = GroupWorld()
    private let living = GroupWorld.living
    private let kitchen = GroupWorld.kitchen
    private let bath = GroupWorld.bath
    private let gone = HostError(.unreachable, "It is gone.")

    /// The device drops out.
    private func lose(_ id: String, _ home: GroupWorld, _ error: HostError) throws {
        let link = try #require(home.activations(of: id).last)
        home.runner.emit(.message(.failedToActivate(device: id, session: link, error: error)))
    }

    @Test func aMemberThatIsLostTakesNobodyDownAndComesBack() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        home.script.refusals = [kitchen: gone]
        try lose(kitchen, home, gone)
        await home.until(kitchen) { $0.activation == .reconnecting && $0.lastError == gone }
        #expect(try await home.host.session(session).state == .active)
        #expect(await home.group(of: living) == [living, kitchen], "it is missing, not out")
        // It answers again.
        await home.world.until { _ in home.activations(of: kitchen).count > 2 }
        home.script.refusals = [:]
        await home.until(kitchen) { $0.activation == .active && $0.lastError == nil }
        #expect(Set(home.activations(of: kitchen)).count == 1, "the session it was in")
        #expect(home.starts == 1 && home.stops == 0)
        await home.world.finish()
    }

    @Test func oneThatCannotPlayItIsOut() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        try lose(kitchen, home, HostError(.unsupportedFormat, "It does not play that."))
        await home.until(kitchen) { $0.activation == .idle && $0.group.isEmpty }
        #expect(await home.known(kitchen)?.lastError?.code == .unsupportedFormat)
        await home.world.until { [home] _ in home.deactivated == [GroupWorld.kitchen] }
        #expect(try await home.host.session(session).members == [living])
        await home.world.finish()
    }

    @Test func anotherOneLeadsWhenTheOneThatLedIsLost() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        home.script.refusals = [living: gone]
        try lose(living, home, gone)
        await home.until(living) { $0.activation == .reconnecting }
        let now = try await home.host.session(session)
        #expect(now.deviceID == kitchen && now.members == [kitchen, living] && now.state == .active)
        home.script.refusals = [:]
        await home.until(living) { $0.activation == .active }
        #expect(await home.group(of: living) == [kitchen, living])
        await home.world.finish()
    }

    @Test func withTheLastOneTheSessionIsOver() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        home.script.refusals = [kitchen: gone, living: gone]
        try lose(kitchen, home, gone)
        await home.until(kitchen) { $0.activation == .reconnecting }
        try lose(living, home, gone)
        await home.until(kitchen) { $0.activation == .idle }
        await home.until(living) { $0.activation == .idle }
        #expect(await home.world.states(of: session).last == .failed)
        #expect(home.runner.reasons == ["discovery"])
        await home.world.finish()
    }

    @Test func allAreTakenUpWhenTheExtensionDied() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        home.runner.crash()
        await home.until(kitchen) { $0.activation == .reconnecting }
        #expect(try await home.host.session(session).state == .reconnecting)
        home.runner.restart()
        await home.until(living) { $0.activation == .active }
        await home.until(kitchen) { $0.activation == .active }
        #expect(try await home.host.session(session).state == .active && home.starts == 1)
        #expect(home.count { if case .adoptSession = $0 { true } else { false } } == 1, "once for the group")
        #expect(await home.group(of: kitchen) == [living, kitchen])
        await home.world.finish()
    }

    @Test func theSessionGoesOnElsewhereWhereTheOneThatLedIsNotThereAnyMore() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        home.script.refusals = [living: gone]
        home.runner.crash()
        await home.until(kitchen) { $0.activation == .reconnecting }
        async let paused: Void = home.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        await home.world.until { await $0.recoveries[GroupWorld.living]?.wishes.entries.isEmpty == false }
        home.runner.restart()
        await home.world.until { host in
            await host.liveSessions.contains { $0.deviceID == GroupWorld.kitchen && $0.state == .active }
        }
        // Requests made meanwhile are not lost with the leader.
        try await paused
        home.script.refusals = [:]
        await home.until(living) { $0.activation == .active }
        await home.world.finish()
    }

    /// No device answers, and then one turns out to be gone for good: requests to all go to the other one.
    @Test func whatWasAskedOfTheOneThatLedIsDoneByItsHeir() async throws {
        let discovery = ScriptedDiscovery()
        let home = GroupWorld(discovery: discovery)
        await home.discover()
        let session = try await home.play(with: [kitchen])
        await home.world.until { _ in discovery.openCount == 2 }
        discovery.say(false)
        for id in [living, kitchen] { await home.until(id) { $0.availability == .unreachable } }
        async let paused: Void = home.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        async let quieter: Void = home.host.setVolume(0.1, device: living, prompt: nil)
        await home.world.until { await $0.postponed[GroupWorld.living]?.entries.count == 2 }
        home.script.refusals = [living: gone]
        try lose(living, home, gone)
        await home.world.until { host in
            let isWithHeir = await host.postponed[GroupWorld.kitchen]?.entries.count == 1
            let isKept = await host.recoveries[GroupWorld.living]?.wishes.entries.map(\.wish) == [.level(0.1)]
            return isWithHeir && isKept
        }
        discovery.say(true)
        try await paused
        #expect(home.count { if case .setVolume = $0 { true } else { false } } == 0, "that was for another")
        home.script.refusals = [:]
        try await quieter
        #expect(home.runner.calls.contains(.setVolume(device: living, level: 0.1)))
        await home.world.finish()
    }

    @Test func stoppingMeanwhileStopsAll() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        home.script.refusals = [living: gone]
        home.runner.crash()
        await home.until(kitchen) { $0.activation == .reconnecting }
        async let stopped: Void = home.host.stop(session)
        await Task.yield()
        home.runner.restart()
        try await stopped
        await home.until(kitchen) { $0.activation == .idle }
        await home.until(living) { $0.activation == .idle }
        #expect(home.stops == 1 && home.runner.reasons == ["discovery"])
        await home.world.finish()
    }

    @Test func theNextDaemonTakesUpTheWholeGroup() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen, bath])
        try await home.host.leave(living)
        let kept = home.world.store.sessions.withLock { $0 }
        await home.world.finish()

        let store = MemoryStore()
        store.sessions.withLock { $0 = kept }
        let next = GroupWorld(store: store, starts: false)
        await next.world.until { await $0.liveSessions.first?.state == .reconnecting }
        // The session is published first, then its members.
        await next.world.until { await $0.liveSessions.first?.members == [kitchen, bath] }
        #expect(await next.group(of: bath) == [kitchen, bath])
        next.runner.restart()
        await next.until(kitchen) { $0.activation == .active }
        await next.until(bath) { $0.activation == .active }
        #expect(next.activations(of: kitchen) == next.activations(of: bath) && next.starts == 0)
        #expect(await next.host.liveSessions.map(\.id) == [session])
        try await next.host.stop(session)
        #expect(await next.host.isIdle)
        #expect(store.sessions.withLock { $0 }.isEmpty)
        await next.world.finish()
    }

    @Test func whatEndedMeanwhileLetsEverybodyGo() async throws {
        await home.discover()
        _ = try await home.play(with: [kitchen])
        home.script.stillPlays = false
        home.runner.crash()
        await home.until(kitchen) { $0.activation == .reconnecting }
        home.runner.restart()
        await home.until(living) { $0.activation == .idle }
        await home.until(kitchen) { $0.activation == .idle && $0.group.isEmpty }
        await home.world.finish()
    }

    @Test func switchingTheExtensionOffEndsTheGroup() async throws {
        await home.discover()
        _ = try await home.play(with: [kitchen])
        try await home.host.setExtension(home.runner.identifier, isEnabled: false)
        await home.world.until { await $0.liveSessions.isEmpty }
        await home.world.until { await $0.routes.isEmpty }
        #expect(home.runner.reasons.isDisjoint(with: ["route:" + living, "route:" + kitchen]))
        await home.world.finish()
    }
}
