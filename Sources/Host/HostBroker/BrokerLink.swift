import Backoff
import Foundation
package import HostCore
package import HostInterface
package import Logging
import MQTT
import PushInterface

/// The host's connection to its broker: it publishes the registrations of its tokens and receives pushes to them.
///
/// A push counts as delivered when the host has stored it. While the host is away, pushes wait at the broker.
package actor BrokerLink: BrokerControl {
    /// The seconds for which a broker stores messages for a host that is away.
    static let sessionExpiry = BrokeredPush.expiry
    /// The time limit for the broker's answer when the host joins.
    private static let patience = Duration.seconds(12)
    private static let steadiness = Duration.seconds(10)
    private static let hour = Duration.seconds(3_600)
    private static let day = Duration.seconds(86_400)

    private let receiver: any PushReceiver
    private let store: any BrokerStore
    private let logger: Logger
    private var settings: BrokerSettings?
    package private(set) var status = BrokerStatus()
    private var running: Task<Void, Never>?
    private var connection: MQTTConnection?
    /// The registrations that were published for this host, with their time.
    private var published: [String: (registration: PushRegistration, at: ContinuousClock.Instant)] = [:]

    package init(receiver: any PushReceiver, store: any BrokerStore, logger: Logger) {
        self.receiver = receiver
        self.store = store
        self.logger = logger
    }

    /// Goes to the broker that was joined before; call once, before anything else.
    package func restore() async {
        do {
            guard let settings = try await store.brokerSettings() else { return }
            begin(settings, nil)
        } catch {
            logger.error("Which broker was joined cannot be read", metadata: ["error": "\(error)"])
        }
    }

    /// Closes the connection. Later pushes wait at the broker.
    package func close() async {
        running?.cancel()
        await connection?.close()
    }

    package func join(_ settings: BrokerSettings) async throws(HostError) {
        let mqtt = try Self.mqtt(settings)
        let old = self.settings
        await stop()
        do throws(HostError) {
            let connection = try await open(mqtt)
            do {
                try await store.keep(settings)
            } catch {
                await connection.close()
                throw error as? HostError ?? HostError(.storageFailed, "The broker cannot be stored: \(error)")
            }
            begin(settings, connection)
        } catch {
            if let old { begin(old, nil) }
            throw error
        }
    }

    package func leave() async throws(HostError) {
        guard let settings else { return }
        if let connection { await sayGoodbye(connection) }
        await stop()
        self.settings = nil
        status = BrokerStatus()
        do {
            try await store.keep(nil)
        } catch {
            throw error as? HostError
                ?? HostError(.storageFailed, "That no broker is joined cannot be stored: \(error)")
        }
        // Make the broker discard the session it keeps for this host.
        guard var mqtt = try? Self.mqtt(settings) else { return }
        (mqtt.beginsAnew, mqtt.sessionExpiry) = (true, 0)
        try? await open(mqtt).close()
    }

    // MARK: Joining and leaving

    /// - Throws: ``HostError`` `invalid-argument`.
    static func mqtt(_ settings: BrokerSettings) throws(HostError) -> MQTTSettings {
        guard let address = MQTTAddress(settings.address), !address.user.isEmpty else {
            throw HostError(
                .invalidArgument,
                "“\(settings.address)” isn't a valid broker address. Use mqtts://name@host:8883, where the "
                    + "name has letters, digits, “-”, “_” and “.” and is this host's alone.")
        }
        var mqtt = MQTTSettings(address: address, clientIdentifier: "mdhost-" + address.user)
        mqtt.password = settings.password
        (mqtt.authority, mqtt.certificate, mqtt.key) = (settings.authority, settings.certificate, settings.key)
        (mqtt.beginsAnew, mqtt.sessionExpiry, mqtt.acknowledgesByHand) = (false, sessionExpiry, true)
        return mqtt
    }

    private func open(_ mqtt: MQTTSettings) async throws(HostError) -> MQTTConnection {
        let (answers, answer) = AsyncStream.makeStream(of: Result<MQTTConnection, MQTTError>.self)
        let opening = Task {
            do throws(MQTTError) {
                answer.yield(.success(try await MQTTConnection.open(mqtt)))
            } catch {
                answer.yield(.failure(error))
            }
        }
        let deadline = Task {
            try await Task.sleep(for: Self.patience)
            answer.finish()
        }
        defer {
            opening.cancel()
            deadline.cancel()
        }
        for await result in answers {
            switch result {
            case .success(let connection): return connection
            case .failure(let error):
                let code = error.kind == .refused ? HostError.Code.authorizationFailed : .commandFailed
                throw HostError(code, "\(error.message) (\(mqtt.address)).")
            }
        }
        throw HostError(.commandFailed, "The broker does not answer (\(mqtt.address)).")
    }

    private func stop() async {
        running?.cancel()
        await connection?.close()
        await running?.value
        running = nil
        published = [:]
    }

    /// Publishes that the tokens are no longer valid.
    private func sayGoodbye(_ connection: MQTTConnection) async {
        let now = Int64(Date().timeIntervalSince1970)
        for (token, (registration, _)) in published where registration.retired == nil {
            let retired = PushRegistration(
                application: registration.application, session: registration.session, retired: now)
            try? await connection.publish(publication(token, retired))
        }
    }

    private func begin(_ settings: BrokerSettings, _ first: MQTTConnection?) {
        self.settings = settings
        status = BrokerStatus(.connecting, address: settings.address)
        running = Task { await run(settings, first) }
    }

    // MARK: The connection

    private func run(_ settings: BrokerSettings, _ first: MQTTConnection?) async {
        var (next, backoff) = (first, Backoff(from: .milliseconds(200), upTo: .seconds(20)))
        while !Task.isCancelled {
            do {
                let connection: MQTTConnection
                if let next {
                    connection = next
                } else {
                    connection = try await MQTTConnection.open(Self.mqtt(settings))
                }
                next = nil
                let begun = ContinuousClock.now
                // A connection that is closed at once, for example by another computer with the same name, is retried
                // ever more slowly.
                defer { if begun.duration(to: .now) > Self.steadiness { backoff.reset() } }
                try await serve(connection)
            } catch {
                guard !Task.isCancelled else { return }
                fail(error, settings)
            }
            try? await Task.sleep(for: backoff.next() * Double.random(in: 0.5...1))
        }
    }

    private func fail(_ error: any Error, _ settings: BrokerSettings) {
        let reason = ((error as? MQTTError)?.message ?? (error as? HostError)?.message ?? "\(error)") + "."
        let isNews = status.state != .failed || status.reason != reason
        status = BrokerStatus(.failed, address: settings.address, reason: reason)
        if isNews {
            logger.warning(
                "The broker of pushes cannot be used",
                metadata: ["broker": "\(settings.address)", "reason": "\(reason)"])
        }
    }

    /// - Throws: The reason it ended.
    private func serve(_ connection: MQTTConnection) async throws {
        self.connection = connection
        defer { self.connection = nil }
        // A broker without a session for this host may have lost the published states, too; a crashed one may have lost
        // the latest.
        let isKnown = await connection.isSessionPresent
        published = published.filter { isKnown && $0.value.at.duration(to: .now) > Self.hour }
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.read(connection) }
                group.addTask { try await self.announce(connection) }
                group.addTask {
                    while true {
                        try await Task.sleep(for: Self.day)
                        try await self.announceAnew(connection)
                    }
                }
                defer { group.cancelAll() }
                // The first task that ends also ends the others, which wait for the connection.
                defer { Task { await connection.close() } }
                try await group.next()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await connection.close()
        try result.get()
    }

    private func read(_ connection: MQTTConnection) async throws {
        for await message in connection.messages {
            try await take(message, connection)
            await connection.acknowledge()
        }
        throw await connection.end ?? .closed
    }

    private func take(_ message: MQTTMessage, _ connection: MQTTConnection) async throws {
        guard case .push(_, let token, _) = BrokerTopic(message.topic), !message.payload.isEmpty else { return }
        var isOfUse = false
        if let push = BrokeredPush(message.payload) {
            isOfUse = try await receiver.take(push, token: token)
        } else {
            logger.warning("The broker delivered an invalid push", metadata: ["topic": "\(message.topic)"])
        }
        guard !isOfUse else { return }
        // Not waited for: nothing is sent before this message is acknowledged.
        Task { try? await connection.publish(MQTTPublication(topic: message.topic, payload: [], isRetained: true)) }
    }

    // MARK: Tokens

    private func announce(_ connection: MQTTConnection) async throws {
        guard let user = settings.flatMap({ MQTTAddress($0.address)?.user }) else { return }
        try await connection.subscribe(BrokerTopic.pushes(host: user), includesOwn: false)
        for await _ in await receiver.tokenChanges() {
            try await announceNow(connection)
            if status.state != .connected {
                status = BrokerStatus(.connected, address: status.address)
                logger.notice("Pushes come from the broker", metadata: ["broker": "\(status.address)"])
            }
        }
    }

    private func announceAnew(_ connection: MQTTConnection) async throws {
        published = [:]
        try await announceNow(connection)
    }

    private func announceNow(_ connection: MQTTConnection) async throws {
        for (token, registration) in await receiver.registrations() where published[token]?.registration != registration
        {
            try await connection.publish(publication(token, registration))
            published[token] = (registration, .now)
        }
    }

    private func publication(_ token: String, _ registration: PushRegistration) -> MQTTPublication {
        let user = settings.flatMap { MQTTAddress($0.address)?.user } ?? ""
        return MQTTPublication(
            topic: BrokerTopic.registration(token: token, host: user).text, payload: registration.bytes,
            isRetained: true,
            expiry: registration.retired == nil ? PushRegistration.expiry : PushRegistration.retiredExpiry)
    }
}
