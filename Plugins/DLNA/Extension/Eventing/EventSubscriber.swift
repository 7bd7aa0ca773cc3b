import DLNAProtocol
import DeviceConnections
import Foundation

/// A subscriber to the events of one service. It subscribes, renews, subscribes again, and unsubscribes.
actor EventSubscriber {
    /// The result of a subscription.
    enum Output: Sendable, Hashable {
        /// Changed state variables.
        case properties([String: String])
        /// Something was or may have been missed.
        case resynchronize
        /// A Boolean value that indicates whether the caller has to poll for now.
        case polling(Bool)
    }

    /// The results in order, in an unbounded stream, because the device waits for each answer. The stream finishes with
    /// ``stop()``.
    nonisolated let outputs: AsyncStream<Output>

    private let service: URL
    private let callback: String
    private let transport: any DeviceTransport
    private let ledger: SubscriptionLedger
    private let time: MonotonicTime
    private let output: AsyncStream<Output>.Continuation
    private var subscription = Subscription()
    private var timer: Task<Void, Never>?
    private var isStopped = false

    private static let requestedTimeout = "Second-1800"

    /// - Parameters:
    ///   - service: The service's event address.
    ///   - callback: The URL for the device's events; they are passed to ``receive(_:_:)``.
    init(
        service: URL, callback: String, transport: any DeviceTransport, ledger: SubscriptionLedger, time: MonotonicTime
    ) {
        self.ledger = ledger
        self.service = service
        self.callback = callback
        self.transport = transport
        self.time = time
        (outputs, output) = AsyncStream.makeStream()
    }

    func start() async { await perform(subscription.start()) }

    /// Ends the subscription, also on the device.
    func stop() async {
        guard !isStopped else { return }
        isStopped = true
        timer?.cancel()
        await perform(subscription.stop())
        output.finish()
    }

    /// An event arrived.
    func receive(_ headers: EventHeaders, _ body: [UInt8]) async -> Subscription.Reception {
        let (reception, actions) = subscription.received(headers)
        if reception == .accepted {
            // An unreadable event may have been important.
            if let values = try? PropertySet(parsing: body).values {
                output.yield(.properties(values))
            } else {
                output.yield(.resynchronize)
            }
        }
        await perform(actions)
        return reception
    }

    private func perform(_ actions: [Subscription.Action]) async {
        for action in actions {
            switch action {
            case .subscribe:
                await request(["CALLBACK": "<\(callback)>", "NT": "upnp:event"], renewing: nil)
            case .renew(let identifier):
                await request(["SID": identifier], renewing: identifier)
            case .unsubscribe(let identifier):
                ledger.forget(identifier)
                _ = try? await transport.send(
                    DeviceRequest(method: "UNSUBSCRIBE", url: service, headers: ["SID": identifier]))
            case .resynchronize: output.yield(.resynchronize)
            case .startPolling: output.yield(.polling(true))
            case .stopPolling: output.yield(.polling(false))
            }
        }
    }

    private func request(_ headers: [String: String], renewing identifier: String?) async {
        var headers = headers
        headers["TIMEOUT"] = Self.requestedTimeout
        let actions: [Subscription.Action]
        do {
            let answer = try await transport.send(DeviceRequest(method: "SUBSCRIBE", url: service, headers: headers))
            let grant = try? SubscriptionGrant(
                identifierHeader: answer.headers["sid"], timeoutHeader: answer.headers["timeout"], renewing: identifier)
            if let identifier { ledger.forget(identifier) }
            if answer.isSuccess, let grant {
                ledger.note(grant.identifier, at: service)
                actions = subscription.granted(grant, at: time.now())
            } else {
                actions = subscription.refused(.status(answer.isSuccess ? 0 : answer.status), at: time.now())
            }
        } catch {
            actions = subscription.refused(.noAnswer, at: time.now())
        }
        setTimer()
        await perform(actions)
    }

    private func setTimer() {
        timer?.cancel()
        guard !isStopped, let deadline = subscription.deadline else { return }
        let pause = max(.zero, deadline - time.now())
        timer = Task { [weak self, time] in
            guard (try? await time.sleep(pause)) != nil else { return }
            await self?.wake()
        }
    }

    private func wake() async {
        guard !isStopped else { return }
        // This runs in the timer's task: setting the next timer must not cancel it.
        timer = nil
        let actions = subscription.wake(at: time.now())
        if actions.isEmpty { setTimer() } else { await perform(actions) }
    }
}
