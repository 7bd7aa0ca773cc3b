import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// An extension that has one session at a time, with two devices.
@Suite(.timeLimit(.minutes(1)))
struct ExclusivityTests {
    private static let room = HostUnderTest.device.id
    private static let radio = RoutingWorld.radio
    private let apps = ScriptedApplications()

    private func world(_ supports: Bool? = false) async -> HostUnderTest {
        await RoutingWorld.make(apps, supportsSimultaneousSessions: supports)
    }

    @discardableResult
    private func play(_ world: HostUnderTest, on device: String, by owner: String? = nil) async throws -> String {
        try await world.host.play(
            try #require(URL(string: "http://10.0.0.1/film.mp4")), on: device, application: nil,
            media: MediaInformation(), owner: owner, prompt: nil)
    }

    private func device(_ id: String, _ world: HostUnderTest) async -> HostDevice? {
        await world.host.devices.first { $0.id == id }
    }

    @Test func aPersonsPlaybackTakesThePlaceOfTheOneElsewhere() async throws {
        let world = await world()
        let first = try await play(world, on: Self.room)
        let second = try await play(world, on: Self.radio)
        #expect(await world.host.sessions.keys.sorted() == [second])
        #expect(await device(Self.room, world)?.activation == .idle)
        let reasons = world.published.withLock { changes in
            changes.compactMap { if case .session(let it) = $0, it.id == first { it.error?.message } else { nil } }
        }
        #expect(reasons.last == "Radio took its place: Test uses one device at a time.")
        let order = world.runner.calls.compactMap { call in
            switch call {
            case .activate(let device, _, _, _): "activate \(device.name)"
            case .deactivate(let device, _): device == Self.room ? "deactivate Living Room" : "deactivate Radio"
            default: nil
            }
        }
        #expect(order == ["activate Living Room", "deactivate Living Room", "activate Radio"])
        await world.finish()
    }

    @Test(arguments: [true, nil] as [Bool?]) func otherExtensionsPlayOnSeveralDevices(_ supports: Bool?) async throws {
        let world = await world(supports)
        try await play(world, on: Self.room)
        try await play(world, on: Self.radio)
        #expect(await world.host.sessions.count == 2)
        await world.finish()
    }

    @Test func whatPlaysForAnotherAppStays() async throws {
        let world = await world()
        #expect(try await world.host.route(Self.room, to: RoutingWorld.app("one"), prompt: nil).isHandled)
        let session = try await play(world, on: Self.room, by: "one")
        let refused = HostError(
            .deviceInUse, "One plays on Living Room, and Test uses one device at a time.")
        await #expect(throws: refused) { try await play(world, on: Self.radio, by: "two") }
        await #expect(throws: refused) {
            try await world.host.route(Self.radio, to: RoutingWorld.app("two"), prompt: nil)
        }
        #expect(await world.host.sessions.keys.sorted() == [session])
        #expect(apps.events == ["one activate Living Room"])
        #expect(await device(Self.radio, world)?.activation == .idle)
        // A device that an app keeps for itself shows the app's name.
        #expect(await device(Self.room, world)?.occupant == .init(identifier: "one", name: "One"))
        try await world.host.stop(session)
        #expect(await device(Self.room, world)?.occupant == nil)
        // Its quiet route gives way.
        #expect(try await world.host.route(Self.radio, to: RoutingWorld.app("two"), prompt: nil).isHandled)
        #expect(apps.events == ["one activate Living Room", "one deactivate Living Room", "two activate Radio"])
        await world.finish()
    }

    @Test func anAppsOwnOldRouteEndsBeforeTheNewDeviceIsOpened() async throws {
        let world = await world()
        let app = RoutingWorld.app()
        #expect(try await world.host.route(Self.room, to: app, prompt: nil).isHandled)
        try await play(world, on: Self.room, by: "app")
        #expect(try await world.host.route(Self.radio, to: app, prompt: nil).isHandled)
        #expect(apps.events == ["app activate Living Room", "app deactivate Living Room", "app activate Radio"])
        #expect(await world.host.sessions.isEmpty)
        await world.finish()
    }

    @Test func aLevelDoesNotEndWhatPlaysElsewhere() async throws {
        let world = await world()
        let session = try await play(world, on: Self.room)
        await #expect(
            throws: HostError(.deviceInUse, "Living Room is in use, and Test uses one device at a time.")
        ) {
            try await world.host.setVolume(0.2, device: Self.radio, prompt: nil)
        }
        #expect(await world.host.sessions.keys.sorted() == [session])
        await world.finish()
    }
}
