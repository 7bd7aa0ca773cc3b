import Crypto
import Foundation
import HostInterface
package import Logging
import Synchronization

/// The response to a request.
package struct PushAnswer: Sendable, Hashable {
    package var status: Int
    /// `apns-id`.
    package var identifier: String
    /// JSON; empty for 200.
    package var body = ""
    /// `retry-after`: seconds to wait before it is sent again.
    package var retryAfter: Int?
}

/// Evaluates requests: the sender's permission, the format, and the result of the delivery.
///
/// Pushes to one token are delivered one after the other, in the order of their arrival.
package final class Gateway: Sendable {
    private struct State {
        /// The last push to each token.
        var lanes: [[UInt8]: (number: Int, task: Task<PushAnswer, Never>)] = [:]
        var lastNumber = 0
        /// Provider tokens that were found to be signed by a key.
        var believed: [String: ProviderToken] = [:]
        var limits = RefusalLimits()
        var summary = RefusalSummary()
    }

    private static let believedLimit = 64

    private let delivery: any PushDelivery
    private let keys: ProviderKeySource
    private let now: @Sendable () -> Int64
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - keys: The keys that hold now, read for every push.
    ///   - now: Seconds since 1970.
    ///   - clock: For the interval of aggregated logs.
    package init(
        delivery: any PushDelivery, keys: @escaping ProviderKeySource,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        clock: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.clock = clock
        self.delivery = delivery
        self.keys = keys
        self.now = now
        self.logger = logger
    }

    /// Keeps its place in the order at once; the answer comes when the push is kept or refused.
    ///
    /// - Parameter peer: The address the request comes from, for limits.
    package func answer(
        method: String, path: String, fields: [String: String], payload: [UInt8], peer: String = ""
    ) -> Task<PushAnswer, Never> {
        let identifier = (try? PushRequest.identifier(fields["apns-id"])) ?? UUID().uuidString.lowercased()
        let request: PushRequest
        do throws(PushRejection) {
            var fields = fields
            if fields["apns-id"] == nil { fields["apns-id"] = identifier }
            request = try PushRequest(method: method, path: path, fields: fields, payload: payload)
            try authorise(request.authorization, of: peer)
        } catch {
            let answer = refusal(error, identifier)
            return Task { answer }
        }
        return state.withLock { state in
            let earlier = state.lanes[request.token]?.task
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task { [self] in
                _ = await earlier?.value
                let answer = await deliver(request)
                leave(request.token, number)
                return answer
            }
            state.lanes[request.token] = (number, task)
            return task
        }
    }

    private func leave(_ token: [UInt8], _ number: Int) {
        state.withLock { state in
            if state.lanes[token]?.number == number { state.lanes[token] = nil }
        }
    }

    private func deliver(_ request: PushRequest) async -> PushAnswer {
        // It was too late before it came: nobody is told of a state that is over.
        if request.isExpired(at: now()) { return PushAnswer(status: 200, identifier: request.identifier) }
        do {
            switch try await delivery.deliver(request) {
            case .accepted, .superseded: return PushAnswer(status: 200, identifier: request.identifier)
            case .badToken: return refusal(.badDeviceToken, request.identifier)
            case .unregistered(let since): return refusal(.unregistered(since: since), request.identifier)
            case .wrongTopic: return refusal(.deviceTokenNotForTopic, request.identifier)
            case .badPayload(let sentence): return refusal(.badPayload(sentence), request.identifier)
            }
        } catch {
            logger.error("A push was not kept", metadata: ["apns-id": "\(request.identifier)", "error": "\(error)"])
            return refusal(.serviceUnavailable, request.identifier)
        }
    }

    private func refusal(_ rejection: PushRejection, _ identifier: String) -> PushAnswer {
        var detail = rejection.reason
        if case .badPayload(let sentence) = rejection { detail += ": " + sentence }
        log(detail, identifier, reason: rejection.reason)
        return PushAnswer(
            status: rejection.status, identifier: identifier, body: rejection.body, retryAfter: rejection.retryAfter)
    }

    /// Many refusals are one line: they come as fast as somebody sends.
    private func log(_ detail: String, _ identifier: String, reason: String) {
        let step = state.withLock { $0.summary.add(reason) }
        if step == .tellAndOpen {
            Task { [self] in
                try? await clock.sleep(for: .seconds(RefusalSummary.interval))
                guard let untold = state.withLock({ $0.summary.close() }) else { return }
                logger.warning("More pushes were refused", metadata: ["count": "\(untold)"])
            }
        }
        guard step != .count else { return }
        logger.warning("A push was refused", metadata: ["apns-id": "\(identifier)", "reason": "\(detail)"])
    }

    private func authorise(_ text: String, of peer: String) throws(PushRejection) {
        let (believed, wait) = state.withLock { ($0.believed[text], $0.limits.wait(of: peer, at: now())) }
        // One whose token is known to be good does not wait for others behind its address.
        if believed == nil, let wait { throw .tooManyRequests(wait: wait) }
        do throws(PushRejection) {
            try check(text, believed)
        } catch {
            if error == .invalidProviderToken || error == .expiredProviderToken || error == .missingProviderToken {
                state.withLock { $0.limits.refused(peer, at: now()) }
            }
            throw error
        }
        if believed == nil { state.withLock { $0.limits.accepted(peer) } }
    }

    private func check(_ text: String, _ believed: ProviderToken?) throws(PushRejection) {
        let token = if let believed { believed } else { try ProviderToken(text) }
        let known: [ProviderKey]
        do throws(HostError) {
            known = try keys()
        } catch {
            logger.error("The keys cannot be read", metadata: ["error": "\(error.message)"])
            throw .internalServerError
        }
        // Also of one that was believed: a key that was removed holds no more from then on.
        guard let key = known.first(where: { $0.id == token.keyIdentifier && $0.team == token.teamIdentifier }) else {
            throw .invalidProviderToken
        }
        if believed == nil {
            guard let publicKey = try? P256.Signing.PublicKey(pemRepresentation: key.publicKey),
                token.isSigned(by: publicKey)
            else { throw .invalidProviderToken }
        }
        try token.checkAge(at: now())
        guard believed == nil else { return }
        state.withLock { state in
            if state.believed.count >= Self.believedLimit { state.believed = [:] }
            state.believed[text] = token
        }
    }
}
