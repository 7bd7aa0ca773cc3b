import Foundation
import HostBroker
import HostCore
import HostInterface
import PushInterface

/// Every so many sessions there are is one of this host's, with a token of its own.
struct Sessions: Sendable {
    let count: Int
    let hosts: Int

    static let application = "org.example.load"

    func host(of session: Int) -> Int { session % hosts }

    /// The same in every run: so that a run can be repeated.
    static func token(_ session: Int) -> [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: session >> ($0 % 4 * 8) ^ $0 &* 37) }
    }

    static func name(_ session: Int) -> String { "s\(session)" }
}

/// The side of a host: applies pushes by the rules of sessions, and records them in the ledger.
actor LoadHost: PushReceiver, BrokerStore {
    private struct Attributes: Decodable {
        struct Envelope: Decodable { var attributes: Attributes }
        struct Payload: Decodable { var aps: Envelope }

        var session: Int
        var number: Int
        var due: Double
    }

    private let known: [String: PushRegistration]
    private let ledger: Ledger
    private var orders: [Int: PushOrder] = [:]
    private var feed: AsyncStream<Void>.Continuation?

    init(_ number: Int, _ sessions: Sessions, _ ledger: Ledger) {
        self.ledger = ledger
        known = Dictionary(
            uniqueKeysWithValues: stride(from: number, to: sessions.count, by: sessions.hosts).map { session in
                (
                    BrokerTopic.hash(of: Sessions.token(session)),
                    PushRegistration(
                        application: Sessions.application,
                        session: BrokerTopic.key(ofSession: Sessions.name(session)))
                )
            })
    }

    func registrations() -> [String: PushRegistration] { known }

    func tokenChanges() -> AsyncStream<Void> {
        feed?.finish()
        let (stream, feed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.feed = feed
        feed.yield()
        return stream
    }

    func take(_ push: BrokeredPush, token hash: String) throws -> Bool {
        let payload = try PushPayload(Data(push.payload))
        let attributes = try JSONDecoder().decode(Attributes.self, from: payload.attributes)
        guard orders[attributes.session, default: PushOrder()].isNew(payload.timestamp, push.identifier) else {
            ledger.repeated()
            return true
        }
        orders[attributes.session, default: PushOrder()].take(payload.timestamp, push.identifier)
        ledger.applied(attributes.session, attributes.number, due: attributes.due, now: Clock.seconds)
        return true
    }

    // The program passes the broker's address every time.
    func brokerSettings() -> BrokerSettings? { nil }
    func keep(_ settings: BrokerSettings?) {}
}

enum Clock {
    /// Since the machine was started.
    static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
