import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// Apps routed to a device by a running host: the events of the apps, and the requests to the device.
@Suite(.timeLimit(.minutes(1)))
struct RoutingTests {
    private static let id = HostUnderTest.device.id
    private static let radio = RoutingWorld.radio
    private typealias Apps = ScriptedApplications

    private static func app(_ name: String = "app") -> ApplicationDeclaration { RoutingWorld.app(name) }

    private func world(
        _ apps: Apps, store: MemoryStore = MemoryStore(),
        _ script: @escaping @Sendable (ExtensionCall) -> [ExtensionMessage] = RoutingWorld.open
    ) async -> HostUnderTest {
        await RoutingWorld.make(apps, store: store, script)
    }

    private func activation(_ world: HostUnderTest, _ id: String = Self.id) async -> HostDevice.Activation? {
        await world.host.devices.first { $0.id == id }?.activation
    }

    @Test func theDeviceIsOpenBeforeTheAppIsTold() async throws {
        let activation = Mutex<HostDevice.Activation?>(nil)
        let host = Mutex<MediaHost?>(nil)
        let apps = Apps { (_) async throws(HostError) in
            let device = await host.withLock { $0 }?.devices.first { $0.id == Self.id }
            activation.withLock { $0 = device?.activation }
            return true
        }
        let world = await world(apps)
        host.withLock { $0 = world.host }
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil).isHandled)
        #expect(activation.withLock { $0 } == .active)
        #expect(apps.events == ["app activate Living Room"])
        let asked = world.runner.calls.compactMap { call -> DeviceDescription.Capabilities? in
            if case .activate(_, _, let features, _) = call { features } else { nil }
        }
        #expect(asked == [[.urlPlayback]])
        #expect(world.store.routes.withLock { $0.map(\.application) } == ["app"])
        // Again: it is routed there already.
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil).isHandled)
        #expect(apps.events.count == 1)
        #expect(try await world.host.unroute(Self.id, application: "") == ["App"])
        #expect(apps.events == ["app activate Living Room", "app deactivate Living Room"])
        #expect(await self.activation(world) == .idle)
        #expect(world.store.routes.withLock { $0.isEmpty })
        let error = await #expect(throws: HostError.self) { try await world.host.unroute(Self.id, application: "") }
        #expect(error?.code == .noSuchSession)
        await world.finish()
        #expect(apps.events.count == 2)
    }

    @Test func whatCannotBeOpenedIsNotTold() async throws {
        let apps = Apps()
        let world = await world(apps) { call in
            guard case .activate(let device, let session, _, _) = call else { return [] }
            return [
                .requestPairingCode(
                    device: device.id, session: session,
                    challenge: PairingChallenge(method: .numericCode, length: 4, reason: ""))
            ]
        }
        let error = await #expect(throws: HostError.self) {
            try await world.host.route(Self.id, to: Self.app()) { _, _ in nil }
        }
        #expect(error?.code == .cancelled)
        #expect(apps.events.isEmpty)
        #expect(await activation(world) == .idle)
        #expect(await world.host.applicationRoutes.isEmpty)
        await world.finish()
    }

    @Test func anAppThatDeclinesOrFailsLetsTheDeviceGo() async throws {
        let declining = Apps { (_) async throws(HostError) in false }
        let world = await world(declining)
        #expect(try await !world.host.route(Self.id, to: Self.app(), prompt: nil).isHandled)
        #expect(await activation(world) == .idle)
        #expect(world.store.routes.withLock { $0.isEmpty })
        await world.finish()
        #expect(declining.events == ["app activate Living Room"])

        let failing = Apps { (_) async throws(HostError) in throw HostError(.sessionFailed, "It has nothing to play.") }
        let other = await self.world(failing)
        await #expect(throws: HostError(.sessionFailed, "It has nothing to play.")) {
            try await other.host.route(Self.id, to: Self.app(), prompt: nil)
        }
        #expect(await activation(other) == .idle)
        await other.finish()
        #expect(failing.events == ["app activate Living Room"])
    }

    @Test func anotherDeviceTakesThePlaceOfTheFirst() async throws {
        let apps = Apps()
        let world = await world(apps)
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil).isHandled)
        #expect(try await world.host.route(Self.radio, to: Self.app(), prompt: nil).isHandled)
        #expect(apps.events == ["app activate Living Room", "app deactivate Living Room", "app activate Radio"])
        #expect(await activation(world) == .idle)
        #expect(await activation(world, Self.radio) == .active)
        await world.finish()
        #expect(apps.events.last == "app deactivate Radio", "the daemon leaves without a successor")
        #expect(apps.events.count == 4)
    }

    @Test func aSecondAppTakesTheDeviceUnlessTheFirstPlays() async throws {
        let apps = Apps()
        let world = await world(apps)
        #expect(try await world.host.route(Self.id, to: Self.app("one"), prompt: nil).isHandled)
        #expect(try await world.host.route(Self.id, to: Self.app("two"), prompt: nil).isHandled)
        #expect(apps.events == ["one activate Living Room", "one deactivate Living Room", "two activate Living Room"])
        let url = try #require(URL(string: "http://10.0.0.1/film.mp4"))
        _ = try await world.host.play(
            url, on: Self.id, application: nil, media: MediaInformation(), owner: "two", prompt: nil)
        let error = await #expect(throws: HostError.self) {
            try await world.host.route(Self.id, to: Self.app("one"), prompt: nil)
        }
        #expect(error?.code == .deviceInUse && error?.message.hasPrefix("Two plays on Living Room") == true)
        #expect(apps.events.count == 3)
        await world.finish()
    }

    @Test func aSessionOfAnotherAppThatPlaysStays() async throws {
        let world = await world(Apps())
        let url = try #require(URL(string: "http://10.0.0.1/film.mp4"))
        func play(_ owner: String?) async throws -> String {
            try await world.host.play(
                url, on: Self.id, application: nil, media: MediaInformation(), owner: owner, prompt: nil)
        }
        let first = try await play("one")
        let refused = await #expect(throws: HostError.self) { try await play("two") }
        #expect(refused?.code == .deviceInUse)
        let second = try await play("one")
        #expect(await world.host.sessions.keys.sorted() == [second])
        let reasons = world.published.withLock { changes in
            changes.compactMap { if case .session(let it) = $0, it.id == first { it.error?.message } else { nil } }
        }
        #expect(reasons.last == "Another session replaced it.")
        // A person's own wish always counts.
        let third = try await play(nil)
        #expect(await world.host.sessions.keys.sorted() == [third])
        await world.finish()
    }

    @Test func theEndOfTheWayEndsTheRouteOnce() async throws {
        let apps = Apps()
        let world = await world(apps)
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil).isHandled)
        try await world.host.deactivate(Self.id)
        await world.until { _ in apps.events.count == 2 }
        #expect(apps.events == ["app activate Living Room", "app deactivate Living Room"])
        await world.finish()
        #expect(apps.events.count == 2)
    }

    @Test func aLossWhileTheAppIsToldIsToldAfterwards() async throws {
        let host = Mutex<MediaHost?>(nil)
        let apps = Apps { (event) async throws(HostError) in
            if event.reason == .activate { try? await host.withLock { $0 }?.deactivate(Self.id) }
            return true
        }
        let world = await world(apps)
        host.withLock { $0 = world.host }
        await #expect(throws: HostError.self) { try await world.host.route(Self.id, to: Self.app(), prompt: nil) }
        await world.until { _ in apps.events.count == 2 }
        #expect(apps.events == ["app activate Living Room", "app deactivate Living Room"])
        await world.finish()
        #expect(apps.events.count == 2)
    }

    @Test func anAppThatLeavesLetsTheDeviceGo() async throws {
        let apps = Apps()
        let world = await world(apps)
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil).isHandled)
        apps.gone.withLock { _ = $0.insert("app") }
        await world.host.applicationGone("app")
        #expect(await activation(world) == .idle)
        #expect(world.store.routes.withLock { $0.isEmpty })
        await world.finish()
        #expect(apps.events == ["app activate Living Room"])
    }

    @Test func theNextDaemonTakesTheRouteUpAgain() async throws {
        let store = MemoryStore()
        let apps = Apps()
        let first = await world(apps, store: store)
        #expect(try await first.host.route(Self.id, to: Self.app(), prompt: nil).isHandled)
        await first.host.handOver()
        await first.finish()
        #expect(apps.events == ["app activate Living Room"], "another daemon has it from here on")

        let second = await world(apps, store: store)
        await second.until { _ in await self.activation(second) == .active }
        await second.host.applicationRegistered("app", holding: [Self.id])
        #expect(apps.events == ["app activate Living Room"])
        #expect(try await second.host.unroute(Self.id, application: "app") == ["App"])
        #expect(apps.events == ["app activate Living Room", "app deactivate Living Room"])
        await second.finish()
    }

    @Test func anAppHearsOfARouteThatNoDaemonHas() async throws {
        let apps = Apps()
        let world = await world(apps)
        await world.host.applicationRegistered("app", holding: [Self.id])
        #expect(apps.events == ["app deactivate "])
        await world.finish()
    }

    @Test func anotherRunOfTheAppLetsGoOfWhatItDoesNotKnow() async throws {
        let store = MemoryStore()
        let apps = Apps()
        let first = await world(apps, store: store)
        #expect(try await first.host.route(Self.id, to: Self.app(), prompt: nil).isHandled)
        await first.host.handOver()
        await first.finish()
        let second = await world(apps, store: store)
        await second.until { _ in await self.activation(second) == .active }
        await second.host.applicationRegistered("app", holding: [])
        #expect(await activation(second) == .idle)
        #expect(apps.events == ["app activate Living Room"])
        #expect(store.routes.withLock { $0.isEmpty })
        await second.finish()
    }

    @Test func whatGoesWrongInTheAppIsTold() async throws {
        let failing = Apps { (_) async throws(HostError) in false }
        failing.problem.withLock { $0 = "The film is gone." }
        let world = await world(failing)
        await #expect(throws: HostError(.applicationDeclined, "App declined Living Room: The film is gone.")) {
            try await world.host.route(Self.id, to: Self.app(), prompt: nil)
        }
        #expect(await activation(world) == .idle)
        await world.finish()

        let taking = Apps()
        taking.problem.withLock { $0 = "A message was not processed." }
        let other = await self.world(taking)
        let answer = try await other.host.route(Self.id, to: Self.app(), prompt: nil)
        #expect(answer == ApplicationAnswer(isHandled: true, problem: "A message was not processed."))
        func lastError() async -> HostError? { await other.host.devices.first { $0.id == Self.id }?.lastError }
        #expect(await lastError()?.message == "App with Living Room: A message was not processed.")
        await other.host.applicationReported("Later.", application: Self.app(), device: Self.id)
        #expect(await lastError() == HostError(.applicationFailed, "App with Living Room: Later."))
        await other.host.applicationReported("Not mine.", application: Self.app("other"), device: Self.id)
        #expect(await lastError()?.message == "App with Living Room: Later.", "it is not routed there")
        await other.finish()
    }

    @Test func aRequestThatIsRepeatedBeginsOnce() async throws {
        let store = MemoryStore()
        let starts = Mutex(0)
        let script = { @Sendable (call: ExtensionCall) -> [ExtensionMessage] in
            if case .startSession = call { starts.withLock { $0 += 1 } }
            guard case .adoptSession(let session, let application, _, _, _) = call else {
                return RoutingWorld.open(call)
            }
            return RoutingWorld.open(
                .startSession(session: session, identifier: application, url: "", media: MediaInformation()))
        }
        let first = await world(Apps(), store: store, script)
        let url = try #require(URL(string: "http://10.0.0.1/film.mp4"))
        func play(_ world: HostUnderTest, _ request: String) async throws -> String {
            try await world.host.play(
                url, on: Self.id, application: nil, media: MediaInformation(), owner: "app", request: request,
                prompt: nil)
        }
        let session = try await play(first, "1")
        await first.host.handOver()
        await first.finish()
        // The daemon ended before its answer came.
        let second = await world(Apps(), store: store, script)
        #expect(try await play(second, "1") == session)
        #expect(starts.withLock { $0 } == 1)
        #expect(try await play(second, "2") != session)
        #expect(starts.withLock { $0 } == 2)
        await second.finish()
    }
}
