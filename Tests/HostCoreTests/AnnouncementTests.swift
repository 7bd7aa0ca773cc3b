import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// The announcements of extensions, and their limits.
@Suite(.timeLimit(.minutes(1)))
struct AnnouncementTests {
    /// Announces every requested service and records it.
    private final class Network: AnnouncementPort {
        private let state = Mutex((last: 0, services: [Int: AnnounceRequest]()))

        var services: [String] { state.withLock { $0.services.sorted { $0.key < $1.key }.map(\.value.name) } }

        func announce(_ request: AnnounceRequest) async -> AsyncStream<AnnounceEvent> {
            let (events, feed) = AsyncStream.makeStream(of: AnnounceEvent.self)
            let number = state.withLock { state in
                state.last += 1
                state.services[state.last] = request
                return state.last
            }
            feed.onTermination = { [weak self] _ in self?.state.withLock { $0.services[number] = nil } }
            feed.yield(request.name == "impossible" ? .failed(.invalid, "No.") : .published(request.name))
            if request.name == "impossible" { feed.finish() }
            return events
        }
    }

    private let network = Network()
    private let runner = ScriptedRunner(announces: ["_remote._tcp"]) { _ in [] }

    private func running() async -> HostUnderTest {
        let world = HostUnderTest(runner, announcer: network)
        await world.host.takeLease("test")
        return world
    }

    private func announce(_ number: UInt32, _ name: String, type: String = "_remote._tcp") {
        let request = AnnounceRequest(name: name, type: type, port: 4000)
        runner.emit(.message(.announce(announcement: number, request: request)))
    }

    /// Returns the reported events of an announcement.
    private func told(_ number: UInt32) -> [AnnounceEvent] {
        runner.calls.flatMap { call in
            if case .announcementEvents(number, let events) = call { events } else { [AnnounceEvent]() }
        }
    }

    @Test func isAnnouncedUntilItIsTakenBack() async {
        let world = await running()
        announce(1, "a")
        announce(2, "b")
        await world.until { _ in told(1) == [.published("a")] && told(2) == [.published("b")] }
        #expect(network.services.sorted() == ["a", "b"])
        runner.emit(.message(.cancelAnnouncement(announcement: 1)))
        await world.until { _ in network.services == ["b"] }
        await world.finish()
        #expect(network.services.isEmpty)
    }

    @Test func whatTheManifestDoesNotNameIsRefused() async {
        let world = await running()
        announce(1, "a", type: "_ssh._tcp")
        await world.until { _ in !told(1).isEmpty }
        #expect(told(1).map(\.refusal) == [.notDeclared])
        #expect(told(1).first?.message?.contains("_ssh._tcp: add it to MDHostAnnouncedServices") == true)
        #expect(network.services.isEmpty)
        await world.finish()
    }

    @Test func oneExtensionHasEightAtMost() async {
        let world = await running()
        for number in 1...9 { announce(UInt32(number), "\(number)") }
        await world.until { _ in !told(9).isEmpty && network.services.count == 8 }
        #expect(told(9).map(\.refusal) == [.tooMany])
        // A refused announcement doesn't count, and a cancelled one makes room.
        runner.emit(.message(.cancelAnnouncement(announcement: 3)))
        await world.until { _ in network.services.count == 7 }
        announce(10, "10")
        await world.until { _ in told(10) == [.published("10")] }
        await world.finish()
    }

    @Test func aNumberThatIsInUseIsNoOthers() async {
        let world = await running()
        announce(1, "a")
        announce(1, "b")
        announce(2, "c")
        await world.until { _ in told(2) == [.published("c")] }
        #expect(network.services.contains("b") == false)
        #expect(told(1) == [.published("a")])
        await world.finish()
    }

    @Test func whatCannotBeAnnouncedLeavesItsNumber() async {
        let world = await running()
        announce(1, "impossible")
        await world.until { _ in told(1).map(\.refusal) == [.invalid] }
        await world.until { await $0.services.announcements.count(of: "org.example.test") == 0 }
        announce(1, "a")
        await world.until { _ in network.services == ["a"] }
        await world.finish()
    }

    @Test func nothingOutlivesItsProcess() async {
        let world = await running()
        announce(1, "a")
        await world.until { _ in network.services == ["a"] }
        runner.crash()
        await world.until { _ in network.services.isEmpty }
        runner.restart()
        announce(1, "again")
        await world.until { _ in network.services == ["again"] }
        await world.finish()
    }

    @Test func aHostWithoutANetworkSaysSo() async {
        let world = HostUnderTest(runner)
        await world.host.takeLease("test")
        announce(1, "a")
        await world.until { _ in told(1).map(\.refusal) == [.unsupported] }
        await world.finish()
    }
}
