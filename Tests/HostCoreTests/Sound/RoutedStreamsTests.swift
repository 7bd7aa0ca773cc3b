import Foundation
import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore

/// A routed app's own sound, with a scripted sound server.
@Suite(.timeLimit(.minutes(1)))
struct RoutedStreamsTests {
    private static let app = RoutingWorld.app()

    private struct World {
        let home: HostUnderTest
        let streams: RoutedStreams
        let sinks: SoundSinks
        let server = ScriptedStreams()
        let store: MemoryMovedStreams
        let clock = ManualClock()
        private let running: [Task<Void, Never>]

        init(
            _ apps: ScriptedApplications, _ moved: MemoryMovedStreams = MemoryMovedStreams(),
            store: MemoryStore = MemoryStore()
        ) async {
            apps.processes.withLock { $0 = ["app": [7]] }
            home = await RoutingWorld.make(apps, store: store)
            self.store = moved
            sinks = SoundSinks(
                host: home.host, server: server.sinks, store: MemorySinks(), clock: clock, title: "Home",
                report: { _ in })
            // A shell that the app started plays.
            let streams = RoutedStreams(
                host: home.host, server: server, sinks: sinks, store: moved, parent: { [71: 7, 7: 2, 8: 2][$0] },
                clock: clock, report: { _ in })
            self.streams = streams
            home.follower.withLock { [sinks] in
                $0 = {
                    sinks.hostChanged($0)
                    streams.hostChanged($0)
                }
            }
            await streams.restore()
            let sinks = sinks
            running = [Task { await sinks.run() }, Task { await streams.run() }]
            server.play(1, 71)
            server.play(2, 8)
        }

        func until(_ condition: () async -> Bool) async {
            while await !condition() { await Task.yield() }
        }

        func route(_ device: String) async throws {
            #expect(try await home.host.route(device, to: RoutedStreamsTests.app, prompt: nil).isHandled)
        }

        /// Waits while time passes, in which the app could give a URL.
        func pass(until condition: () async -> Bool) async {
            while await !condition() {
                clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }

        /// The app's stream plays on the sink of its route.
        func isMoved() -> Bool { server.output(of: 1).hasPrefix("mdhost.route-") }

        func finish(movesBack: Bool = true) async {
            await sinks.close()
            await home.finish()
            await streams.close(movesBack: movesBack)
            for task in running { await task.value }
        }
    }

    @Test func theStreamsOfARoutedAppMoveAndComeBack() async throws {
        let world = await World(ScriptedApplications())
        try await world.route(HostUnderTest.device.id)
        await world.pass { world.isMoved() }
        #expect(world.server.output(of: 2) == "card")
        #expect(world.server.sinks.shown.values.map(\.name) == ["Living Room (App)"])
        #expect(await world.sinks.isEmpty, "it is none of a person's")
        #expect(await world.sinks.statuses.isEmpty)
        // Kept before the server was asked.
        #expect(world.store.streams.withLock { $0.map(\.stream) } == [1])

        // A stream that the app opens later.
        world.server.play(3, 7)
        await world.until { world.server.output(of: 3).hasPrefix("mdhost.route-") }

        _ = try await world.home.host.unroute(HostUnderTest.device.id, application: "")
        await world.until { world.server.output(of: 1) == "card" && world.server.output(of: 3) == "card" }
        await world.until { world.server.sinks.shown.isEmpty && !world.server.isFollowed }
        #expect(world.store.streams.withLock { $0.isEmpty })
        await world.finish()
    }

    @Test func anAppThatPlaysAURLKeepsItsStreams() async throws {
        let world = await World(ScriptedApplications())
        let device = HostUnderTest.device.id
        try await world.route(device)
        let session = try await world.home.host.play(
            URL(string: "https://example.org/a.mp3")!, on: device, application: nil, media: MediaInformation(),
            owner: "app", prompt: nil)
        await world.home.host.published()
        world.clock.advance(by: .seconds(60))
        #expect(world.server.output(of: 1) == "card" && world.server.sinks.shown.isEmpty)
        try await world.home.host.stop(session)
        await world.home.host.published()
        await world.pass { world.isMoved() }
        await world.finish()
        #expect(world.server.output(of: 1) == "card", "the end of the daemon is the end of its routes")
    }

    @Test func theSinksSessionIsTheApps() async throws {
        let world = await World(ScriptedApplications())
        try await world.route(HostUnderTest.device.id)
        await world.pass { !world.server.sinks.shown.isEmpty }
        let sink = try #require(world.server.sinks.shown.keys.first)
        world.server.sinks.tell(.sound(id: sink))
        await world.until { await !world.home.host.liveSessions.isEmpty }
        let session = try #require(await world.home.host.liveSessions.first)
        #expect(session.owner == "app" && session.media.title == "App")
        await world.until { world.isMoved() }
        await world.finish()
    }

    @Test func theNextDaemonMovesTheStreamsOfARouteThatIsNoMore() async throws {
        let moved = MemoryMovedStreams()
        moved.streams.withLock {
            $0 = [MovedStream(server: 1, stream: 1, application: "app", output: "mdhost.route-1", origin: "hdmi")]
        }
        let world = await World(ScriptedApplications(), moved)
        await world.until { world.server.output(of: 1) == "hdmi" }
        await world.until { moved.streams.withLock { $0.isEmpty } }
        await world.finish()
    }

    @Test func anotherDaemonTakesOverWithoutAMove() async throws {
        let apps = ScriptedApplications()
        let moved = MemoryMovedStreams()
        let world = await World(apps, moved)
        try await world.route(HostUnderTest.device.id)
        await world.pass { world.isMoved() }
        await world.home.host.handOver()
        await world.finish(movesBack: false)
        #expect(moved.streams.withLock { $0.map(\.stream) } == [1])
    }
}

private final class MemoryMovedStreams: MovedStreamStore {
    let streams = Mutex<[MovedStream]>([])

    func movedStreams() async throws -> [MovedStream] { streams.withLock { $0 } }
    func keep(_ streams: [MovedStream]) async throws { self.streams.withLock { $0 = streams } }
}
