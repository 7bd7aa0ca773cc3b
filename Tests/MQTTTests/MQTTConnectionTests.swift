import MosquittoBroker
import Testing

@testable import MQTT

/// With a real broker.
@Suite(.enabled(if: MosquittoBroker.isAvailable, "needs mosquitto"), .timeLimit(.minutes(1)))
struct MQTTConnectionTests {
    private static let topic = "mdhost/1/host/living/push/a/b"

    private func settings(_ broker: MosquittoBroker, _ user: String, keeps: Bool = false) throws -> MQTTSettings {
        var settings = MQTTSettings(
            address: try #require(MQTTAddress(broker.address(user))), clientIdentifier: "test-\(user)-\(keeps)")
        settings.password = MosquittoBroker.password(of: user)
        if keeps { (settings.beginsAnew, settings.sessionExpiry, settings.acknowledgesByHand) = (false, 600, true) }
        return settings
    }

    private func publish(_ texts: String..., on gateway: MQTTConnection, isRetained: Bool = false) async throws {
        for text in texts {
            try await gateway.publish(
                MQTTPublication(topic: Self.topic, payload: Array(text.utf8), isRetained: isRetained, expiry: 60))
        }
    }

    private func next(_ count: Int, of connection: MQTTConnection) async -> [String] {
        var texts: [String] = []
        for await message in connection.messages {
            texts.append(String(decoding: message.payload, as: UTF8.self))
            if texts.count == count { break }
        }
        return texts
    }

    @Test func whatIsPublishedArrivesInOrder() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let host = try await MQTTConnection.open(settings(broker, "living"))
        #expect(await !host.isSessionPresent)
        try await host.subscribe("mdhost/1/host/living/push/#", includesOwn: false)
        let gateway = try await MQTTConnection.open(settings(broker, "gateway"))
        try await publish("one", "two", "three", on: gateway)
        #expect(await next(3, of: host) == ["one", "two", "three"])
        await gateway.close()
        #expect(await gateway.end == .closed)
        await #expect(throws: MQTTError.self) { try await publish("four", on: gateway) }
        await host.close()
    }

    @Test func whatIsRetainedIsThereForWhoComesLater() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let gateway = try await MQTTConnection.open(settings(broker, "gateway"))
        try await publish("old", "new", on: gateway, isRetained: true)
        let host = try await MQTTConnection.open(settings(broker, "living"))
        try await host.subscribe("mdhost/1/host/living/push/#", includesOwn: false)
        var messages = host.messages.makeAsyncIterator()
        let message = try #require(await messages.next())
        #expect(message.isRetained && message.payload == Array("new".utf8) && message.topic == Self.topic)
        await host.close()
        await gateway.close()
    }

    @Test func whatWasNotAcknowledgedComesAgain() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let gateway = try await MQTTConnection.open(settings(broker, "gateway"))
        let first = try await MQTTConnection.open(settings(broker, "living", keeps: true))
        try await first.subscribe("mdhost/1/host/living/push/#", includesOwn: false)
        try await publish("one", "two", on: gateway)
        #expect(await next(2, of: first) == ["one", "two"])
        // Half of the delivered messages are acknowledged: no acknowledgement is sent, and the connection breaks.
        await first.acknowledge()
        await first.close()
        let second = try await MQTTConnection.open(settings(broker, "living", keeps: true))
        #expect(await second.isSessionPresent)
        try await publish("three", on: gateway)
        #expect(await next(3, of: second) == ["one", "two", "three"])
        for _ in 0..<3 { await second.acknowledge() }
        // Answered behind the acknowledgements.
        try await second.subscribe("mdhost/1/host/living/push/#", includesOwn: false)
        await second.close()
        let third = try await MQTTConnection.open(settings(broker, "living", keeps: true))
        try await publish("four", on: gateway)
        #expect(await next(1, of: third) == ["four"])
        await third.close()
        await gateway.close()
    }

    @Test func whoIsRefusedIsToldWhy() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        var settings = try settings(broker, "living")
        settings.password = "wrong"
        await #expect(throws: MQTTError(.refused, "The broker refused the user name, password or certificate")) {
            try await MQTTConnection.open(settings)
        }
        let host = try await MQTTConnection.open(self.settings(broker, "living"))
        let error = await #expect(throws: MQTTError.self) {
            try await host.publish(MQTTPublication(topic: "mdhost/1/host/kitchen/push/a/b", payload: [1]))
        }
        #expect(error?.kind == .notAllowed)
        await host.close()
    }

    @Test func anotherOneUnderTheSameNameTakesThePlace() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let first = try await MQTTConnection.open(settings(broker, "living"))
        let second = try await MQTTConnection.open(settings(broker, "living"))
        for await _ in first.messages {}
        // MQTT 5 has a reason code for it, which mosquitto 2.0 doesn't send.
        #expect([.takenOver, .unreachable].contains(await first.end?.kind))
        await second.close()
    }

    @Test func aBrokerThatEndsIsNoticedAndOneThatIsNotThereToo() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let connection = try await MQTTConnection.open(settings(broker, "living"))
        try await broker.stop()
        for await _ in connection.messages {}
        #expect(await connection.end?.kind == .unreachable)
        let error = await #expect(throws: MQTTError.self) { try await MQTTConnection.open(settings(broker, "living")) }
        #expect(error?.kind == .unreachable)
    }

    @Test func byTLSOnlyABrokerThatIsVouchedFor() async throws {
        let broker = try MosquittoBroker(users: ["living"], isSecure: true)
        try await broker.start()
        var settings = try settings(broker, "living")
        let error = await #expect(throws: MQTTError.self) { try await MQTTConnection.open(settings) }
        #expect(error?.kind == .security)
        settings.authority = broker.authority
        let connection = try await MQTTConnection.open(settings)
        try await connection.subscribe("mdhost/1/host/living/push/#", includesOwn: true)
        try await connection.publish(MQTTPublication(topic: Self.topic, payload: Array(repeating: 7, count: 8000)))
        var messages = connection.messages.makeAsyncIterator()
        #expect(await messages.next()?.payload.count == 8000)
        await connection.close()
        settings.authority = "/nowhere/ca.crt"
        let unreadable = await #expect(throws: MQTTError.self) { try await MQTTConnection.open(settings) }
        #expect(unreadable?.kind == .security)
    }

    @Test func manyAtATimeAreEachAnswered() async throws {
        let broker = try MosquittoBroker(users: ["living"])
        try await broker.start()
        let host = try await MQTTConnection.open(settings(broker, "living", keeps: true))
        try await host.subscribe("mdhost/1/host/living/push/#", includesOwn: false)
        let gateway = try await MQTTConnection.open(settings(broker, "gateway"))
        await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 { group.addTask { try await publish("\(number)", on: gateway) } }
            var numbers: Set<String> = []
            for await message in host.messages {
                numbers.insert(String(decoding: message.payload, as: UTF8.self))
                await host.acknowledge()
                if numbers.count == 500 { break }
            }
            #expect(numbers == Set((0..<500).map(String.init)))
        }
        await host.close()
        await gateway.close()
    }
}
