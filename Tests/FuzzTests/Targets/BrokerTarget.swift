import Foundation
import PushInterface

extension FuzzTarget {
    /// A delivery of a broker: the topic, a line feed, and the message.
    static let brokerMessage = FuzzTarget(
        name: "broker-message",
        words: [
            "mdhost/1/", "token/", "host/", "/push/", "gateway/", "+", "#", "\n", " ", "{\"application\":\"a\"}",
            "\"session\":\"", "\"retired\":", "null", "-1", "1e400", "{\"aps\":{\"event\":\"start\",\"timestamp\":1,",
            "\"attributes\":{\"id\":\"a\"}}}", String(repeating: "0f", count: 32),
        ],
        outcomes: ["registration", "push", "payload", "topic", "refused"]
    ) { bytes in
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
        let topic = BrokerTopic(String(decoding: bytes[..<end], as: UTF8.self))
        let message = Array(bytes[min(end + 1, bytes.endIndex)...])
        if let topic {
            try demand(BrokerTopic(topic.text) == topic, "a topic that is read otherwise")
            try demand(!topic.text.contains("+") && !topic.text.contains("#"), "a topic with a wildcard")
        }
        if let registration = PushRegistration(message) {
            try demand(PushRegistration(registration.bytes) == registration, "a registration that is read otherwise")
            try demand(registration.retired ?? 0 >= 0, "a time before 1970")
            return "registration"
        }
        if let push = BrokeredPush(message) {
            try demand(BrokeredPush(push.bytes) == push, "a push that is read otherwise")
            try demand(push.payload.count <= PushPayload.limit, "a payload that is too large")
            guard let payload = try? PushPayload(Data(push.payload)) else { return "push" }
            try demand(payload.timestamp >= 0 && 1...512 ~= payload.session.utf8.count, "a payload out of bounds")
            return "payload"
        }
        return topic == nil ? "refused" : "topic"
    }
}
