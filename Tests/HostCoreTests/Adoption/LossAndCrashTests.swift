import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// A device stops answering and its extension crashes at the same moment: one recovery must not undo the other.
@Suite(.timeLimit(.minutes(1)))
struct LossAndCrashTests {
    private static let id = HostUnderTest.device.id
    private let script = AdoptingExtension()
    private let discovery = ScriptedDiscovery()

    /// A world in which the device plays and is monitored, without discovery.
    private func playing(timing: HostTiming = .withoutLingering) async throws -> (world: HostUnderTest, session: String)
    {
        let world = HostUnderTest(script.runner(), discovery: discovery, timing: timing)
        await world.discover()
        let session = try await world.host.play(
            URL(string: "http://media.example/film.mp4")!, on: Self.id, application: nil, media: MediaInformation(),
            prompt: nil)
        await world.host.endLease("test")
        await world.until { _ in discovery.openCount == 1 && world.runner.calls.last == .stopDeviceDiscovery }
        return (world, session)
    }

    private func strike(_ world: HostUnderTest, lossFirst: Bool) async {
        script.activation = HostError(.unreachable, "It is off.")
        if lossFirst {
            discovery.say(false)
            world.runner.crash()
        } else {
            world.runner.crash()
            discovery.say(false)
        }
        await world.until { await $0.devices.first?.availability == .unreachable }
        await world.until { await $0.devices.first?.activation == .reconnecting }
    }

    @Test(arguments: [true, false])
    func bothComeBackAndItPlaysOn(lossFirst: Bool) async throws {
        let (world, session) = try await playing()
        await strike(world, lossFirst: lossFirst)
        world.runner.restart()
        // The new process looks for it, although no client does.
        await world.until { _ in
            let last = world.runner.calls.lastIndex(of: .startDeviceDiscovery)
            return last.map { $0 > world.runner.calls.firstIndex(of: .stopDeviceDiscovery) ?? .max } ?? false
        }
        #expect(try await world.host.session(session).state == .reconnecting)
        script.activation = nil
        discovery.say(true)
        await world.until { await $0.liveSessions.first?.state == .active }
        await world.until { await $0.isAtRest }
        await world.until { _ in world.runner.calls.last { $0.isOfDiscovery } == .stopDeviceDiscovery }
        let device = try #require(await world.host.devices.first)
        #expect(device.availability == .ready && device.activation == .active && device.lastError == nil)
        #expect(await world.states(of: session) == [.starting, .active, .reconnecting, .active])
        #expect(discovery.openCount == 1, "it is looked after once")
        #expect(world.runner.calls.count { if case .startSession = $0 { true } else { false } } == 1)
        await world.finish()
    }

    @Test(arguments: [true, false])
    func whereItStaysAwayItIsGivenUpOnceAndNothingIsLeft(lossFirst: Bool) async throws {
        var timing = HostTiming.withoutLingering
        timing.recovery = .seconds(1)
        let (world, session) = try await playing(timing: timing)
        await strike(world, lossFirst: lossFirst)
        world.runner.restart()
        await world.until { await $0.liveSessions.isEmpty }
        #expect(await world.states(of: session) == [.starting, .active, .reconnecting, .failed])
        await world.until { await $0.devices.isEmpty }
        await world.until { await $0.isAtRest }
        #expect(await world.host.isIdle)
        #expect(await world.host.watches.isEmpty)
        await world.until { _ in discovery.openCount == 0 && world.runner.reasons.isEmpty }
        await world.until { _ in world.runner.calls.last { $0.isOfDiscovery } == .stopDeviceDiscovery }
        #expect(world.store.sessions.withLock { $0 }.isEmpty)
        await world.finish()
    }
}

extension MediaHost {
    /// A Boolean value that indicates whether no session is being resumed and no device is missing.
    fileprivate var isAtRest: Bool { recoveries.isEmpty && missing.isEmpty }
}

extension ExtensionCall {
    fileprivate var isOfDiscovery: Bool { self == .startDeviceDiscovery || self == .stopDeviceDiscovery }
}
