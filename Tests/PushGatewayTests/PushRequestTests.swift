import Foundation
import Testing

@testable import PushGateway

@Suite struct PushRequestTests {
    private static let fields = [
        "authorization": "bearer x.y.z", "apns-topic": "org.example.push-type.nowplaying",
        "apns-push-type": "nowplaying", "apns-id": "0ABCDEF0-0000-4000-8000-000000000000",
    ]

    private func request(
        _ changes: [String: String?] = [:], path: String = "/3/device/00ff10", method: String = "POST",
        payload: [UInt8] = [1]
    ) throws(PushRejection) -> PushRequest {
        var fields = Self.fields
        for (name, value) in changes { fields[name] = value }
        return try PushRequest(method: method, path: path, fields: fields, payload: payload)
    }

    @Test func aRequestIsRead() throws {
        let request = try request(["apns-expiration": "1700000000", "apns-priority": "5", "apns-collapse-id": "c"])
        #expect(request.token == [0, 0xFF, 0x10] && request.topic == "org.example.push-type.nowplaying")
        #expect(request.identifier == "0abcdef0-0000-4000-8000-000000000000" && request.authorization == "x.y.z")
        #expect(request.isExpired(at: 1_700_000_001) && !request.isExpired(at: 1_700_000_000))
        #expect(try !self.request(["apns-expiration": "0"]).isExpired(at: 5))
        #expect(try self.request(["apns-id": nil]).identifier.count == 36)
    }

    @Test(
        arguments: [
            (["apns-push-type": "alert"], PushRejection.invalidPushType), (["apns-push-type": nil], .invalidPushType),
            (["apns-topic": nil], .missingTopic), (["apns-topic": "a b"], .badTopic),
            (["apns-id": "7"], .badMessageID), (["apns-expiration": "soon"], .badExpirationDate),
            (["apns-expiration": "-1"], .badExpirationDate), (["apns-priority": "7"], .badPriority),
            (["apns-collapse-id": String(repeating: "c", count: 65)], .badCollapseID),
            (["authorization": nil], .missingProviderToken), (["authorization": "basic x"], .invalidProviderToken),
        ] as [([String: String?], PushRejection)])
    func aBadFieldIsRefused(_ changes: [String: String?], _ rejection: PushRejection) {
        #expect(throws: rejection) { try request(changes) }
    }

    @Test(arguments: [
        ("/3/device/", PushRejection.missingDeviceToken), ("/3/device/0", .badDeviceToken),
        ("/3/device/zz", .badDeviceToken), ("/3/device/" + String(repeating: "0", count: 402), .badDeviceToken),
        ("/4/device/00", .badPath), ("", .badPath),
    ])
    func aBadPathIsRefused(_ path: String, _ rejection: PushRejection) {
        #expect(throws: rejection) { try request(path: path) }
    }

    @Test func methodAndPayloadAreChecked() {
        #expect(throws: PushRejection.methodNotAllowed) { try request(method: "GET") }
        #expect(throws: PushRejection.payloadEmpty) { try request(payload: []) }
        #expect(throws: PushRejection.payloadTooLarge) { try request(payload: .init(repeating: 1, count: 4097)) }
        #expect(throws: Never.self) { try request(payload: .init(repeating: 1, count: 4096)) }
    }

    @Test func answersAreJSON() throws {
        let rejections: [PushRejection] = [
            .badPayload("“aps” is \"no\" \\ object.\n"), .unregistered(since: 5), .badTopic, .unregistered(since: .max),
        ]
        for rejection in rejections {
            let object = try JSONSerialization.jsonObject(with: Data(rejection.body.utf8)) as? [String: Any]
            #expect(object?["reason"] as? String == rejection.reason)
        }
        #expect(PushRejection.unregistered(since: 5).body == "{\"reason\":\"Unregistered\",\"timestamp\":5000}")
        #expect(PushRejection.unregistered(since: 5).status == 410 && PushRejection.payloadTooLarge.status == 413)
    }
}
