import DBus
import Foundation
import HostCore
import HostInterface

/// The methods of `org.mdhost.NowPlaying1` by which apps get push tokens and a gateway delivers pushes.
struct PushMethods: Sendable {
    static let failuresSignature = "a(dsss)"

    let sessions: RemoteSessions
    let broker: any BrokerControl

    var methods: [DBusMethod] {
        [
            .async("PushToStartToken", in: [("application", "s")], out: [("token", "ay")]) { call in
                [.bytes([UInt8](try await sessions.pushToStartToken(of: try Self.application(call))))]
            },
            .async("RotatePushTokens", in: [("application", "s")]) { call in
                try await sessions.rotateTokens(of: try Self.application(call))
                return []
            },
            .async(
                "DeliverPush", in: [("token", "ay"), ("topic", "s"), ("identifier", "s"), ("payload", "ay")],
                out: [("outcome", "s"), ("since", "x"), ("reason", "s")]
            ) { call in
                guard call.arguments.count == 4, let token = call.arguments[0].asBytes,
                    let topic = call.arguments[1].asString, let identifier = call.arguments[2].asString,
                    let payload = call.arguments[3].asBytes
                else { throw HostError.badArguments }
                let outcome = try await sessions.push(
                    to: Data(token), topic: topic, identifier: identifier, payload: Data(payload))
                var (since, reason): (Int64, String) = (0, "")
                if case .unregistered(let time) = outcome { since = time }
                if case .badPayload(let sentence) = outcome { reason = sentence }
                return [.string(outcome.word), .int64(since), .string(reason)]
            },
            .async("JoinBroker", in: [("address", "s"), ("options", "a{sv}")]) { call in
                guard call.arguments.count == 2, let address = call.arguments[0].asString,
                    let options = call.arguments[1].asDictionary
                else { throw HostError.badArguments }
                try await broker.join(
                    BrokerSettings(
                        address: address, password: options["password"]?.asString,
                        authority: options["authority"]?.asString, certificate: options["certificate"]?.asString,
                        key: options["key"]?.asString))
                return []
            },
            .async("LeaveBroker") { _ in
                try await broker.leave()
                return []
            },
            .async("BrokerStatus", out: [("state", "s"), ("address", "s"), ("reason", "s")]) { _ in
                let status = await broker.status
                return [.string(status.state.rawValue), .string(status.address), .string(status.reason)]
            },
        ]
    }

    private static func application(_ call: DBusMethodCall) throws(HostError) -> String {
        guard let application = call.arguments.first?.asString, 1...255 ~= application.utf8.count else {
            throw HostError.badArguments
        }
        return application
    }

    static func value(_ failures: [PushFailure]) -> DBusValue {
        .array(
            of: "(dsss)",
            failures.map {
                .structure([
                    .double($0.time), .string($0.identifier), .string($0.application), .string($0.message),
                ])
            })
    }
}
