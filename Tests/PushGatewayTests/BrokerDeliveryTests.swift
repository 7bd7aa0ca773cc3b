import Foundation
import HostInterface
import Logging
import MQTT
import MosquittoBroker
import PushInterface
import Testing

@testable import PushGateway

/// A gateway's way to a real broker, with a host that is played by the test.
@Suite(.enabled(if: MosquittoBroker.isAvailable, "needs mosquitto"), .timeLimit(.minutes(1)))
struct BrokerDeliveryTests {
    private static let token: [UInt8] = Array(repeating: 7, count: 32)
    private static let hash = BrokerTopic.hash(of: token)

    private func settings(_ broker: MosquittoBroker, _ user: String, password: String? = nil) throws -> MQTTSettings {
        var settings = MQTTSettings(
            address: try #require(MQTTAddress(broker.address(user))), clientIdentifier: "mdhost-\(user)-\(UUID())")
        settings.password = password ?? MosquittoBroker.password(of: user)
        return settings
    }

    private func delivery(_ broker: MosquittoBroker) async throws -> BrokerDelivery {
        let delivery = BrokerDelivery(
            try settings(broker, "gateway"), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await delivery.start()
        return delivery
    }

    private func push(
        _ event: String = "start", topic: String = "org.example.push-type.nowplaying", token: [UInt8] = Self.token
    ) throws -> PushRequest {
        let digits = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let payload = "{\"aps\":{\"event\":\"\(event)\",\"timestamp\":1,\"attributes\":{\"id\":\"living\"}}}"
        return try PushRequest(
            method: "POST", path: "/3/device/\(digits)",
            fields: ["authorization": "bearer x", "apns-push-type": "nowplaying", "apns-topic": topic],
            payload: [UInt8](payload.utf8))
    }

    private func register(_ registration: PushRegistration?, at host: MQTTConnection, as user: String) async throws {
        try await host.publish(
            MQTTPublication(
                topic: BrokerTopic.registration(token: Self.hash, host: user).text,
                payload: registration?.bytes ?? [], isRetained: true))
    }

    /// Returns the outcome once a broker is there.
    private func outcome(_ delivery: BrokerDelivery, _ push: PushRequest) async throws -> PushOutcome {
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            do {
                return try await delivery.deliver(push)
            } catch  where ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    @Test func aTokenIsWhatItsHostSays() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let delivery = try await delivery(broker)
        let host = try await MQTTConnection.open(settings(broker, "living"))
        #expect(try await outcome(delivery, push()) == .badToken)
        // Said while the gateway follows the token already.
        try await register(PushRegistration(application: "org.example", session: nil), at: host, as: "living")
        try await host.subscribe(BrokerTopic.pushes(host: "living"), includesOwn: false)
        var answer = PushOutcome.badToken
        while answer == .badToken { answer = try await delivery.deliver(push()) }
        #expect(answer == .accepted)
        var messages = host.messages.makeAsyncIterator()
        let message = try #require(await messages.next())
        let arrived = try #require(BrokeredPush(message.payload))
        #expect(arrived.topic == "org.example.push-type.nowplaying")
        #expect(
            message.topic
                == BrokerTopic.push(host: "living", token: Self.hash, session: BrokerTopic.key(ofSession: "living"))
                .text)
        #expect(try await delivery.deliver(push(topic: "org.other.push-type.nowplaying")) == .wrongTopic)
        guard case .badPayload = try await delivery.deliver(push("update")) else {
            throw MosquittoBroker.Failure(description: "An update is no start.")
        }
        // Another gateway, which asks only now.
        try await register(
            PushRegistration(application: "org.example", session: nil, retired: 9), at: host, as: "living")
        let other = try await self.delivery(broker)
        #expect(try await outcome(other, push()) == .unregistered(since: 9))
        await delivery.close()
        await other.close()
        await host.close()
    }

    @Test func withoutABrokerNothingIsAnsweredAndNothingIsForgotten() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let host = try await MQTTConnection.open(settings(broker, "living"))
        try await register(PushRegistration(application: "org.example", session: nil), at: host, as: "living")
        await host.close()
        let delivery = try await delivery(broker)
        #expect(try await outcome(delivery, push()) == .accepted)
        try await broker.stop()
        var isRefused = false
        while !isRefused {
            do { _ = try await delivery.deliver(push()) } catch { isRefused = true }
        }
        await #expect(throws: HostError.self) { try await delivery.deliver(push(token: [1, 2])) }
        try await broker.start()
        #expect(try await outcome(delivery, push()) == .accepted)
        #expect(try await outcome(delivery, push(token: [1, 2])) == .badToken)
        await delivery.close()
    }

    @Test func manyTokensAreAskedForAtATime() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let host = try await MQTTConnection.open(settings(broker, "living"))
        let tokens = (0..<300).map { [UInt8($0 >> 8), UInt8($0 & 255)] }
        for token in tokens where token[1].isMultiple(of: 2) {
            try await host.publish(
                MQTTPublication(
                    topic: BrokerTopic.registration(token: BrokerTopic.hash(of: token), host: "living").text,
                    payload: PushRegistration(application: "org.example", session: nil).bytes, isRetained: true))
        }
        let delivery = try await delivery(broker)
        _ = try await outcome(delivery, push())
        try await withThrowingTaskGroup(of: (Bool, PushOutcome).self) { group in
            for token in tokens {
                let push = try push(token: token)
                group.addTask { (token[1].isMultiple(of: 2), try await delivery.deliver(push)) }
            }
            for try await (isKnown, outcome) in group { #expect(outcome == (isKnown ? .accepted : .badToken)) }
        }
        await delivery.close()
        await host.close()
    }

    @Test func aGatewayThatIsRefusedSaysSoAtOnce() async throws {
        let broker = try MosquittoBroker(users: [])
        try await broker.start()
        let delivery = BrokerDelivery(
            try settings(broker, "gateway", password: "wrong"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let error = await #expect(throws: HostError.self) { try await delivery.start() }
        #expect(error?.message.contains("refused the user name, password or certificate") == true)
    }
}
