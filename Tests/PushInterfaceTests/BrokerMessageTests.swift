import Foundation
import PushInterface
import Testing

struct BrokerMessageTests {
    private static let (token, key) = (String(repeating: "0a", count: 32), String(repeating: "f", count: 32))

    @Test(arguments: [
        (BrokerTopic.registration(token: token, host: "living"), "mdhost/1/token/\(token)/living"),
        (.push(host: "living", token: token, session: key), "mdhost/1/host/living/push/\(token)/\(key)"),
        (.mark(gateway: "mdhost-gateway-x"), "mdhost/1/gateway/mdhost-gateway-x"),
    ]) func topicsAreWrittenAndRead(_ topic: BrokerTopic, _ text: String) {
        #expect(topic.text == text && BrokerTopic(text) == topic)
    }

    @Test(arguments: [
        "", "mdhost/1", "mdhost/2/gateway/a", "mdhost/1/gateway/", "mdhost/1/gateway/a/b", "mdhost/1/gateway/+",
        "mdhost/1/token/abc/living", "mdhost/1/token/\(token.uppercased())/living", "mdhost/1/token/\(token)/a b",
        "mdhost/1/host/living/pull/\(token)/\(key)", "mdhost/1/host/living/push/\(token)", "/mdhost/1/gateway/a",
        "mdhost/1/host//push/\(token)/\(key)", String(repeating: "mdhost/1/", count: 100),
    ]) func otherTopicsAreNone(_ text: String) { #expect(BrokerTopic(text) == nil) }

    @Test func tokensAndSessionsAreHashed() {
        #expect(
            BrokerTopic.hash(of: [UInt8]("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(BrokerTopic.key(ofSession: "abc") == "ba7816bf8f01cfea414140de5dae2223")
    }

    @Test func registrationsAreWrittenAndRead() {
        for registration in [
            PushRegistration(application: "org.example", session: nil),
            PushRegistration(application: "org.example", session: Self.key, retired: 7),
        ] {
            #expect(PushRegistration(registration.bytes) == registration)
            #expect(registration.bytes.count <= PushRegistration.limit)
        }
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"application\":\"\"}", "{\"application\":7}", "{\"application\":\"a\",\"retired\":-1}",
        "{\"application\":\"a\",\"session\":\"short\"}", "{\"application\":\"a\",\"retired\":1.5}",
        "{\"application\":\"" + String(repeating: "a", count: 256) + "\"}", String(repeating: "[", count: 1000),
    ]) func otherMessagesAreNoRegistration(_ text: String) { #expect(PushRegistration([UInt8](text.utf8)) == nil) }

    @Test func aTokenTakesWhatItIsFor() throws {
        func payload(_ event: String, _ session: String) throws -> PushPayload {
            try PushPayload(
                Data(
                    "{\"aps\":{\"event\":\"\(event)\",\"timestamp\":1,\"attributes\":{\"id\":\"\(session)\"}}}".utf8))
        }
        let start = PushRegistration(application: "a", session: nil)
        let session = PushRegistration(application: "a", session: BrokerTopic.key(ofSession: "living"))
        #expect(start.topic == "a.push-type.nowplaying")
        #expect(try start.objection(to: payload("start", "any")) == nil)
        #expect(try start.objection(to: payload("end", "any"))?.contains("Only start") == true)
        #expect(try session.objection(to: payload("update", "living")) == nil)
        #expect(try session.objection(to: payload("end", "living")) == nil)
        #expect(try session.objection(to: payload("start", "living"))?.contains("Only update") == true)
        #expect(try session.objection(to: payload("end", "other"))?.contains("attributes.id") == true)
    }

    @Test func pushesAreWrittenAndRead() {
        let push = BrokeredPush(identifier: "one", topic: "a.push-type.nowplaying", payload: [0, 10, 32, 255])
        #expect(BrokeredPush(push.bytes) == push)
        let longest = BrokeredPush(
            identifier: "i", topic: String(repeating: "t", count: 255), payload: Array(repeating: 1, count: 4096))
        #expect(BrokeredPush(longest.bytes) == longest)
    }

    @Test(arguments: [
        "", "\n", "one\nx", " topic\nx", "one \nx", "one two three\nx", "one t\u{7F}\nx", "öne two\nx", "one two",
        String(repeating: "i", count: 65) + " t\nx", "i " + String(repeating: "t", count: 256) + "\nx",
        "i t\n" + String(repeating: "x", count: 4097),
    ]) func otherMessagesAreNoPush(_ text: String) { #expect(BrokeredPush([UInt8](text.utf8)) == nil) }

    @Test func anOlderOrRepeatedPushIsNotNew() {
        var order = PushOrder()
        #expect(order.isNew(5, "a"))
        order.take(5, "a")
        #expect(!order.isNew(5, "a") && !order.isNew(4, "z") && order.isNew(5, "b") && order.isNew(6, "a"))
        order.take(5, "b")
        // Both of one second come again, in their order, as from a broker: neither counts twice.
        #expect(!order.isNew(5, "a") && !order.isNew(5, "b"))
        order.take(6, "c")
        #expect(order.isNew(6, "a") && order.timestamp == 6)
        for number in 0..<100 { order.take(6, "\(number)") }
        #expect(order.identifiers.count == 64 && !order.isNew(6, "99"))
    }
}
