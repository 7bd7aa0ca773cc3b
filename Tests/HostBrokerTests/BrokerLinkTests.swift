import Foundation
import HostCore
import HostInterface
import Logging
import MQTT
import MosquittoBroker
import PushInterface
import Testing

@testable import HostBroker

/// A host at a real broker, with a gateway that is played by the test.
@Suite(.enabled(if: MosquittoBroker.isAvailable, "needs mosquitto"), .timeLimit(.minutes(1)))
struct BrokerLinkTests {
    private static let token = String(repeating: "ab", count: 32)

    /// Takes pushes and keeps their identifiers, and the broker that was joined.
    private actor Host: PushReceiver, BrokerStore {
        struct Full: Error {}

        private(set) var taken: [String] = []
        private(set) var refused = 0
        private(set) var kept: BrokerSettings?
        private var known: [String: PushRegistration]
        private var isFull = false
        private var feed: AsyncStream<Void>.Continuation?
        private var keepsState = true

        init(_ known: [String: PushRegistration]) { self.known = known }

        func registrations() -> [String: PushRegistration] { known }

        func tokenChanges() -> AsyncStream<Void> {
            feed?.finish()
            let (stream, feed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.feed = feed
            feed.yield()
            return stream
        }

        func take(_ push: BrokeredPush, token hash: String) throws -> Bool {
            if isFull {
                refused += 1
                throw Full()
            }
            taken.append(push.identifier)
            return keepsState
        }

        func change(_ token: String, _ registration: PushRegistration) {
            known[token] = registration
            feed?.yield()
        }

        func fill(_ isFull: Bool) { self.isFull = isFull }
        func endSessions() { keepsState = false }
        func brokerSettings() -> BrokerSettings? { kept }
        func keep(_ settings: BrokerSettings?) { kept = settings }
    }

    private let host = Host([token: PushRegistration(application: "org.example", session: nil)])
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func link() -> BrokerLink { BrokerLink(receiver: host, store: host, logger: logger) }

    private func join(_ link: BrokerLink, _ broker: MosquittoBroker, password: String? = nil) async throws {
        try await link.join(
            BrokerSettings(
                address: broker.address("living"), password: password ?? MosquittoBroker.password(of: "living")))
    }

    private func gateway(_ broker: MosquittoBroker) async throws -> MQTTConnection {
        var settings = MQTTSettings(
            address: try #require(MQTTAddress(broker.address("gateway"))), clientIdentifier: "gateway-\(UUID())")
        settings.password = MosquittoBroker.password(of: "gateway")
        return try await MQTTConnection.open(settings)
    }

    private func push(_ identifier: String, _ gateway: MQTTConnection) async throws {
        let topic = BrokerTopic.push(
            host: "living", token: Self.token, session: BrokerTopic.key(ofSession: identifier))
        let push = BrokeredPush(identifier: identifier, topic: "org.example.push-type.nowplaying", payload: [1])
        try await gateway.publish(
            MQTTPublication(topic: topic.text, payload: push.bytes, isRetained: true, expiry: 600))
    }

    private func until(_ what: String, _ isSo: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !isSo() {
            guard ContinuousClock.now < deadline else { throw MosquittoBroker.Failure(description: what) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func registration(_ gateway: MQTTConnection) async throws -> PushRegistration? {
        try await gateway.subscribe(BrokerTopic.registrations(token: Self.token), includesOwn: false)
        for await message in gateway.messages { return PushRegistration(message.payload) }
        return nil
    }

    @Test func whatIsPushedArrivesAndTokensAreKnown() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let link = link()
        try await join(link, broker)
        try await until("connected") { await link.status.state == .connected }
        let gateway = try await gateway(broker)
        #expect(try await registration(gateway) == PushRegistration(application: "org.example", session: nil))
        try await push("one", gateway)
        try await push("two", gateway)
        try await until("both") { await host.taken == ["one", "two"] }
        let over = PushRegistration(application: "org.example", session: nil, retired: 5)
        await host.change(Self.token, over)
        for await message in gateway.messages {
            #expect(PushRegistration(message.payload) == over)
            break
        }
        await link.close()
    }

    @Test func whatComesWhileItIsAwayWaits() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let gateway = try await gateway(broker)
        let first = link()
        try await join(first, broker)
        try await until("connected") { await first.status.state == .connected }
        await first.close()
        try await push("one", gateway)
        try await push("two", gateway)
        #expect(await host.taken.isEmpty)
        let second = link()
        await second.restore()
        // Once from the waiting messages, and once as the retained state: the host tells them apart.
        try await until("both") { await Set(host.taken) == ["one", "two"] }
        #expect(await Array(host.taken.prefix(2)) == ["one", "two"])
        await second.close()
    }

    @Test func aHostThatIsNewGetsTheLastState() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let gateway = try await gateway(broker)
        try await push("session", gateway)
        let link = link()
        try await join(link, broker)
        try await until("the state") { await host.taken == ["session"] }
        await link.close()
    }

    @Test func whatCouldNotBeKeptComesAgain() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let gateway = try await gateway(broker)
        let link = link()
        try await join(link, broker)
        try await until("connected") { await link.status.state == .connected }
        await host.fill(true)
        try await push("one", gateway)
        try await until("two attempts") { await host.refused >= 2 }
        #expect(await link.status.state == .failed)
        await host.fill(false)
        try await until("it") { await host.taken.contains("one") }
        await link.close()
    }

    @Test func theStateOfWhatIsOverIsRemoved() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let gateway = try await gateway(broker)
        await host.endSessions()
        let first = link()
        try await join(first, broker)
        try await push("one", gateway)
        try await until("it") { await host.taken.contains("one") }
        // The broker keeps nothing for clients that subscribe from now on.
        try await until("nothing retained") {
            let before = await host.taken.count
            let again = link()
            await again.restore()
            try await until("connected") { await again.status.state == .connected }
            try await push("mark", gateway)
            try await until("the mark") { await host.taken.last == "mark" }
            let came = await host.taken.dropFirst(before)
            await again.close()
            return !came.contains("one")
        }
    }

    @Test func theBrokerMayBeStartedAgain() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let link = link()
        try await join(link, broker)
        try await until("connected") { await link.status.state == .connected }
        try await broker.stop()
        try await until("failed") { await link.status.state == .failed }
        try await broker.start()
        try await until("connected again") { await link.status.state == .connected }
        let gateway = try await gateway(broker)
        // The retained state is still there.
        #expect(try await registration(gateway)?.application == "org.example")
        try await push("one", gateway)
        try await until("it") { await host.taken == ["one"] }
        await link.close()
    }

    @Test func aBrokerThatRefusesIsNotJoined() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let link = link()
        let error = await #expect(throws: HostError.self) { try await join(link, broker, password: "wrong") }
        #expect(error?.code == .authorizationFailed)
        #expect(error?.message.contains("refused the user name, password or certificate") == true)
        #expect(await link.status.state == .none)
        #expect(await host.kept == nil)
        for address in ["mqtt://127.0.0.1", "https://living@broker", "living"] {
            await #expect(throws: HostError.self) { try await link.join(BrokerSettings(address: address)) }
        }
    }

    @Test func whoLeavesSaysThatItsTokensAreOver() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let link = link()
        try await join(link, broker)
        try await until("connected") { await link.status.state == .connected }
        try await link.leave()
        #expect(await link.status == BrokerStatus())
        #expect(await host.kept == nil)
        let gateway = try await gateway(broker)
        #expect(try await registration(gateway)?.retired != nil)
    }
}
