import Foundation
import HostInterface
import Synchronization
import Testing

@testable import HostCore

/// Apps routed to a device by a running host: what the apps hear, and what the device is asked.
@Suite(.timeLimit(.minutes(1)))
struct RoutingTests {
    private static let id = HostUnderTest.device.id
    private static let radio = "22222222-2222-3333-4444-555555555555"

    /// Apps that answer as told, and remember what they heard.
    private final class Apps: ApplicationPort {
        private let heard = Mutex<[String]>([])
        private let answers: @Sendable (ApplicationRouteEvent) async throws(HostError) -> Bool
        let gone = Mutex<Set<String>>([])

        init(_ answers: @escaping @Sendable (ApplicationRouteEvent) async throws(HostError) -> Bool = { _ in true }) {
            self.answers = answers
        }

        var events: [String] { heard.withLock { $0 } }
        func isConnected(_ application: String) -> Bool { !gone.withLock { $0.contains(application) } }
        func tell(_ event: ApplicationRouteEvent) async throws(HostError) -> Bool {
            heard.withLock { $0.append("\(event.application) \(event.reason.rawValue) \(event.name)") }
            return try await answers(event)
        }
    }

    private static func app(_ name: String = "app", protocols: [String] = [], universal: Bool = true)
        -> ApplicationDeclaration
    {
        ApplicationDeclaration(
            identifier: name, name: name.capitalized, protocols: protocols, universalURLPlayback: universal)
    }

    /// An extension whose devices are open, and play.
    private static let open = { @Sendable (call: ExtensionCall) -> [ExtensionMessage] in
        switch call {
        case .activate(let device, let session, _, _): [.activatedDevice(device: device.id, session: session)]
        case .startSession(let session, let application, _, _):
            [
                .started(
                    session: session, application: application ?? "",
                    state: {
                        var state = PlaybackState()
                        state.isPlaying = true
                        return state
                    }())
            ]
        default: []
        }
    }

    private func world(
        _ apps: Apps, store: MemoryStore = MemoryStore(),
        _ script: @escaping @Sendable (ExtensionCall) -> [ExtensionMessage] = RoutingTests.open
    ) async -> HostUnderTest {
        let world = HostUnderTest(ScriptedRunner(script: script), store: store)
        await world.host.serve(applications: apps)
        await world.discover()
        var radio = HostUnderTest.device
        radio.id = Self.radio
        radio.name = "Radio"
        radio.endpoints = ["10.0.0.6:1400"]
        world.runner.emit(.message(.foundDevice(radio)))
        await world.until { await $0.devices.contains { $0.id == Self.radio } }
        return world
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
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil))
        #expect(activation.withLock { $0 } == .active)
        #expect(apps.events == ["app activate Living Room"])
        let asked = world.runner.calls.compactMap { call -> DeviceDescription.Capabilities? in
            if case .activate(_, _, let features, _) = call { features } else { nil }
        }
        #expect(asked == [[.urlPlayback]])
        #expect(world.store.routes.withLock { $0.map(\.application) } == ["app"])
        // Again: it is routed there already.
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil))
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
        #expect(try await !world.host.route(Self.id, to: Self.app(), prompt: nil))
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
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil))
        #expect(try await world.host.route(Self.radio, to: Self.app(), prompt: nil))
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
        #expect(try await world.host.route(Self.id, to: Self.app("one"), prompt: nil))
        #expect(try await world.host.route(Self.id, to: Self.app("two"), prompt: nil))
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
        #expect(reasons.last == "Another playback took its place.")
        // A person's own wish always counts.
        let third = try await play(nil)
        #expect(await world.host.sessions.keys.sorted() == [third])
        await world.finish()
    }

    @Test func theEndOfTheWayEndsTheRouteOnce() async throws {
        let apps = Apps()
        let world = await world(apps)
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil))
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
        #expect(try await world.host.route(Self.id, to: Self.app(), prompt: nil))
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
        #expect(try await first.host.route(Self.id, to: Self.app(), prompt: nil))
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
        #expect(try await first.host.route(Self.id, to: Self.app(), prompt: nil))
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
}
