import Backoff
import Foundation
package import HostInterface
package import Logging
package import MQTT
import PushInterface

/// Delivers pushes to a broker, for hosts on other machines.
///
/// It stores nothing. When a token first receives a push, and again after each connection, the broker reports which
/// host issued it. Until then, and without a connection, senders have to try again.
package actor BrokerDelivery: PushDelivery {
    /// The number of tokens to look up at a time, which is below the length of a client's queue in brokers.
    private static let lookupLimit = 500

    private let settings: MQTTSettings
    private let logger: Logger
    private let mark: BrokerTopic
    private var connection: MQTTConnection?
    private var running: Task<Void, Never>?
    private var directory = TokenDirectory()
    private var lookups: [String: Task<Void, any Error>] = [:]
    private var lastMark = 0
    private var marks: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// The mark that was sent, and the one that waits for it.
    private var sentMark: Task<Void, any Error>?
    private var nextMark: Task<Void, any Error>?

    /// - Parameter settings: The settings with the gateway's own client identifier. Data that the broker stored for it
    ///   is discarded.
    package init(_ settings: MQTTSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        mark = .mark(gateway: settings.clientIdentifier)
    }

    /// Connects, and reconnects whenever the connection is lost.
    ///
    /// - Throws: ``HostError`` if another attempt would fail as well: the broker refuses the connection, or one side
    ///   doesn't trust the other. An unreachable broker is tried again.
    package func start() async throws(HostError) {
        do throws(MQTTError) {
            let first = try await open()
            running = Task { await run(first) }
        } catch {
            switch error.kind {
            case .missingLibrary: throw HostError(.commandFailed, "\(error.message).")
            case .refused, .security, .notAllowed, .invalid:
                throw HostError(.invalidArgument, "\(error.message) (\(settings.address)).")
            case .unreachable, .takenOver, .closed:
                tell(error)
                running = Task { await run(nil) }
            }
        }
    }

    package func close() async {
        running?.cancel()
        await connection?.close()
    }

    package func deliver(_ push: PushRequest) async throws -> PushOutcome {
        guard let connection else { throw Self.unavailable("The broker cannot be reached") }
        let token = BrokerTopic.hash(of: push.token)
        let (host, registration): (String, PushRegistration)
        switch try await finding(token, connection) {
        case .unknown: return .badToken
        case .retired(let since): return .unregistered(since: since)
        case .contested: throw Self.unavailable("Several hosts say that token \(token) is theirs")
        case .holds(let found, let what): (host, registration) = (found, what)
        }
        guard push.topic == registration.topic else { return .wrongTopic }
        let payload: PushPayload
        do throws(PushPayload.Malformed) {
            payload = try PushPayload(Data(push.payload))
        } catch {
            return .badPayload(error.reason)
        }
        if let objection = registration.objection(to: payload) { return .badPayload(objection) }
        let topic = BrokerTopic.push(
            host: host, token: token, session: BrokerTopic.key(ofSession: payload.session))
        let message = BrokeredPush(identifier: push.identifier, topic: push.topic, payload: push.payload)
        do throws(MQTTError) {
            try await connection.publish(
                MQTTPublication(
                    topic: topic.text, payload: message.bytes, isRetained: push.expiration != 0,
                    expiry: Self.expiry(push.expiration, now: Int64(Date().timeIntervalSince1970))))
        } catch {
            throw Self.unavailable(error.message)
        }
        return .accepted
    }

    /// Seconds for which the broker is to keep a push.
    ///
    /// - Parameter expiration: As in ``PushRequest/expiration``: 0 is now or never.
    static func expiry(_ expiration: Int64?, now: Int64) -> UInt32 {
        guard let expiration else { return BrokeredPush.expiry }
        return expiration <= now ? 1 : UInt32(min(expiration - now, Int64(BrokeredPush.expiry)))
    }

    private static func unavailable(_ reason: String) -> HostError { HostError(.hostUnavailable, "\(reason).") }

    // MARK: Tokens

    private func finding(_ token: String, _ connection: MQTTConnection) async throws -> TokenDirectory.Finding {
        if let finding = directory.finding(token) { return finding }
        if lookups[token] == nil {
            guard lookups.count < Self.lookupLimit else {
                throw Self.unavailable("Too many tokens are asked for at once")
            }
            lookups[token] = Task { try await look(token, connection) }
        }
        try await lookups[token]?.value
        guard let finding = directory.finding(token) else { throw Self.unavailable("The connection was lost") }
        return finding
    }

    private func look(_ token: String, _ connection: MQTTConnection) async throws {
        defer { lookups[token] = nil }
        directory.expect(token)
        do {
            try await connection.subscribe(BrokerTopic.registrations(token: token), includesOwn: false)
            try await passMark(connection)
            guard connection === self.connection else { throw Self.unavailable("The connection was lost") }
            directory.complete(token)
        } catch {
            directory.forget(token)
            throw Self.unavailable((error as? MQTTError)?.message ?? "\(error)")
        }
        for old in directory.makeRoom() {
            Task { try? await connection.unsubscribe(BrokerTopic.registrations(token: old)) }
        }
    }

    /// Returns when everything that the broker sent before this call has arrived.
    ///
    /// Only one mark is sent at a time. Callers that arrive meanwhile share the next.
    private func passMark(_ connection: MQTTConnection) async throws {
        if let nextMark { return try await nextMark.value }
        let earlier = sentMark
        let task = Task {
            _ = await earlier?.result
            sentMark = nextMark
            nextMark = nil
            try await sendMark(connection)
        }
        nextMark = task
        try await task.value
    }

    private func sendMark(_ connection: MQTTConnection) async throws {
        lastMark += 1
        let number = lastMark
        guard connection === self.connection else { throw Self.unavailable("The connection was lost") }
        try await withCheckedThrowingContinuation { continuation in
            marks[number] = continuation
            Task {
                do throws(MQTTError) {
                    try await connection.publish(MQTTPublication(topic: mark.text, payload: Array("\(number)".utf8)))
                } catch {
                    marks.removeValue(forKey: number)?.resume(throwing: error)
                }
            }
        }
    }

    private func take(_ message: MQTTMessage) {
        switch BrokerTopic(message.topic) {
        case .registration(let token, let host): directory.take(token, host: host, message.payload)
        case mark:
            let number = Int(String(decoding: message.payload.prefix(20), as: UTF8.self))
            if let number { marks.removeValue(forKey: number)?.resume() }
        default: break
        }
    }

    // MARK: The connection

    private func open() async throws(MQTTError) -> MQTTConnection {
        let connection = try await MQTTConnection.open(settings)
        do throws(MQTTError) {
            try await connection.subscribe(mark.text, includesOwn: true)
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private func run(_ first: MQTTConnection?) async {
        var (next, backoff) = (first, Backoff(from: .milliseconds(100), upTo: .seconds(5)))
        while !Task.isCancelled {
            do throws(MQTTError) {
                let connection = if let next { next } else { try await open() }
                next = nil
                backoff.reset()
                logger.notice("Connected to the broker", metadata: ["broker": "\(settings.address)"])
                await serve(connection)
                throw await connection.end ?? .closed
            } catch {
                tell(error)
            }
            try? await Task.sleep(for: backoff.next() * Double.random(in: 0.5...1))
        }
    }

    private func serve(_ connection: MQTTConnection) async {
        self.connection = connection
        for await message in connection.messages { take(message) }
        self.connection = nil
        directory.forgetAll()
        let failed = marks.values
        marks = [:]
        for mark in failed { mark.resume(throwing: Self.unavailable("The connection was lost")) }
    }

    private func tell(_ error: MQTTError) {
        guard !Task.isCancelled else { return }
        logger.error(
            "The broker cannot be used", metadata: ["broker": "\(settings.address)", "reason": "\(error.message)"])
    }
}
