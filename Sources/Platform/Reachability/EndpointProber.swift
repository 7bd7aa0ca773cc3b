import Glibc
import Synchronization
import Threads

/// Probes whether an address answers, by a TCP connection or a datagram.
///
/// One thread waits for all sockets; the first probe creates it, and it sleeps while there is none.
package final class EndpointProber: Sendable {
    private let core: ProberCore

    /// - Throws: ``ReachabilityError`` if no descriptors or threads are left.
    package init() throws(ReachabilityError) {
        core = try ProberCore()
    }

    deinit {
        core.stop()
    }

    /// Asks all endpoints at once; the first good answer counts.
    ///
    /// A connection that is made is closed at once. Ends no later than `limit`, and is not cancelled before.
    package func ask(
        _ endpoints: [NumericEndpoint], _ question: ProbeQuestion, within limit: Duration
    ) async -> ProbeAnswer {
        let request = ProbeRequest(endpoints: endpoints, question: question, limit: limit)
        return await withCheckedContinuation { continuation in
            let order = ProberCore.Order(requests: [request], gathering: nil) { replies, _ in
                // A batch of one is reported once, with its answer.
                for reply in replies { continuation.resume(returning: reply.answer) }
            }
            core.add(order)
        }
    }

    /// Asks several subjects with few wake-ups of the processor: nobody waits for answers while they gather.
    ///
    /// - Parameter gathering: The time until the first answers are read.
    /// - Returns: The answers until then, perhaps none; then the others as they arrive. Ends with the last.
    package func ask(_ requests: [ProbeRequest], gathering: Duration) -> AsyncStream<[ProbeReply]> {
        let (stream, sink) = AsyncStream.makeStream(of: [ProbeReply].self)
        core.add(
            ProberCore.Order(requests: requests, gathering: gathering) { replies, isLast in
                sink.yield(replies)
                if isLast { sink.finish() }
            })
        return stream
    }
}

/// The endpoints of one subject, of which one has to answer.
package struct ProbeRequest: Sendable {
    package let endpoints: [NumericEndpoint]
    package let question: ProbeQuestion
    /// The time after which the answer is ``ProbeAnswer/silent``.
    package let limit: Duration

    package init(endpoints: [NumericEndpoint], question: ProbeQuestion, limit: Duration) {
        self.endpoints = endpoints
        self.question = question
        self.limit = limit
    }
}

/// The answer to one of several requests.
package struct ProbeReply: Sendable, Hashable {
    /// The index of its request.
    package let index: Int
    package let answer: ProbeAnswer

    package init(index: Int, answer: ProbeAnswer) {
        self.index = index
        self.answer = answer
    }
}

/// The way an endpoint is probed.
package enum ProbeQuestion: Sendable {
    /// A TCP connection.
    case connection
    /// A datagram, and which one is its answer.
    case datagram([UInt8], isAnswer: @Sendable ([UInt8]) -> Bool)
}

/// The result of a probe.
package enum ProbeAnswer: Sendable, Hashable {
    /// Connected, or the datagram that answers.
    case answered([UInt8])
    /// The host reports that no program listens there.
    case refused
    /// No answer arrived, or there is no route.
    case silent
    /// The probe couldn't be sent: this machine lacks resources.
    case impossible
}

/// The part of the prober its thread keeps alive.
private final class ProberCore: Sendable {
    struct Order: Sendable {
        let requests: [ProbeRequest]
        /// The time until the first answers are read; `nil` to read each as it arrives.
        let gathering: Duration?
        /// Gets answers, and whether they are the last.
        let report: @Sendable ([ProbeReply], Bool) -> Void
    }

    private struct State {
        var orders: [Order] = []
        var isStopping = false
        var hasThread = false
    }

    private let state = Mutex(State())
    /// A socket pair: a byte written to one end wakes the thread, which polls the other.
    private let wake: (near: Int32, far: Int32)

    init() throws(ReachabilityError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw ReachabilityError(call: "socketpair") }
        wake = (ends[0], ends[1])
    }

    deinit {
        close(wake.near)
        close(wake.far)
    }

    func add(_ order: Order) {
        let isRefused = state.withLock { state in
            guard !state.isStopping, state.hasThread || BackgroundThread.start({ self.run() }) else { return true }
            state.hasThread = true
            state.orders.append(order)
            return false
        }
        guard isRefused else { return signal() }
        order.report(order.requests.indices.map { ProbeReply(index: $0, answer: .impossible) }, true)
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        signal()
    }

    private func signal() {
        var byte: UInt8 = 0
        _ = write(wake.near, &byte, 1)
    }

    private func run() {
        var batches: [ProbeBatch] = []
        while true {
            var descriptors = [pollfd(fd: wake.far, events: Int16(POLLIN), revents: 0)]
            let now = ContinuousClock.now
            for index in batches.indices {
                batches[index].endGathering(at: now)
                descriptors += batches[index].interests
            }
            let pause = batches.map(\.next).min().map { next in
                Int32(clamping: Int64((max(.zero, now.duration(to: next)) / .milliseconds(1)).rounded(.up)))
            }
            _ = poll(&descriptors, nfds_t(descriptors.count), pause ?? -1)
            if descriptors[0].revents != 0 { drain() }
            let (orders, isStopping) = state.withLock { state in
                defer { state.orders.removeAll() }
                return (state.orders, state.isStopping)
            }
            var events = descriptors.dropFirst().map(\.revents)[...]
            for index in batches.indices { batches[index].take(&events) }
            let begun = ContinuousClock.now
            batches += orders.map { ProbeBatch($0.requests, gathering: $0.gathering, at: begun, report: $0.report) }
            let end = isStopping ? nil : Optional(ContinuousClock.now)
            for index in batches.indices { batches[index].report(at: end) }
            batches.removeAll(where: \.isOver)
            if isStopping { return }
        }
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 256)
        while read(wake.far, &buffer, buffer.count) > 0 {}
    }
}
