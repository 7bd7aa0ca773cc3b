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
        await withCheckedContinuation { continuation in
            let order = ProberCore.Order(endpoints: endpoints, question: question, limit: limit) {
                continuation.resume(returning: $0)
            }
            core.add(order)
        }
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
        let endpoints: [NumericEndpoint]
        let question: ProbeQuestion
        let limit: Duration
        let finish: @Sendable (ProbeAnswer) -> Void
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
        if isRefused { order.finish(.impossible) } else { signal() }
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
        var probes: [Probe] = []
        while true {
            var descriptors = [pollfd(fd: wake.far, events: Int16(POLLIN), revents: 0)]
            for probe in probes { descriptors += probe.sockets.map(\.interest) }
            let now = ContinuousClock.now
            let pause = probes.map(\.deadline).min().map { deadline in
                Int32(clamping: Int64((max(.zero, now.duration(to: deadline)) / .milliseconds(1)).rounded(.up)))
            }
            _ = poll(&descriptors, nfds_t(descriptors.count), pause ?? -1)
            if descriptors[0].revents != 0 { drain() }
            let (orders, isStopping) = state.withLock { state in
                defer { state.orders.removeAll() }
                return (state.orders, state.isStopping)
            }
            var index = 1
            for position in probes.indices {
                let count = probes[position].sockets.count
                probes[position].take(descriptors[index..<index + count].map(\.revents))
                index += count
            }
            probes += orders.map(Probe.init)
            let end = isStopping ? nil : Optional(ContinuousClock.now)
            probes.removeAll { $0.finish(at: end) }
            if isStopping { return }
        }
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 256)
        while read(wake.far, &buffer, buffer.count) > 0 {}
    }
}

/// One pending probe; used on the prober's thread.
private struct Probe {
    struct Socket {
        let descriptor: Int32
        let endpoint: NumericEndpoint
        var interest: pollfd
    }

    private(set) var sockets: [Socket] = []
    let deadline: ContinuousClock.Instant
    private let order: ProberCore.Order
    private var answer: ProbeAnswer?
    private var wasRefused = false
    private var isShort = false

    init(_ order: ProberCore.Order) {
        self.order = order
        deadline = .now + order.limit
        for endpoint in order.endpoints { open(endpoint) }
    }

    private mutating func open(_ endpoint: NumericEndpoint) {
        let kind: __socket_type
        switch order.question {
        case .connection: kind = SOCK_STREAM
        case .datagram: kind = SOCK_DGRAM
        }
        let flags = Int32(kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(endpoint.isIPv6 ? AF_INET6 : AF_INET, flags, 0)
        guard descriptor >= 0 else {
            isShort = isShort || errno != EAFNOSUPPORT
            return
        }
        let hasFailed: Bool
        switch order.question {
        case .connection:
            let result = endpoint.withRaw { connect(descriptor, $0, $1) } ?? -1
            if result == 0 { answer = .answered([]) }
            hasFailed = result != 0 && errno != EINPROGRESS
        case .datagram(let bytes, _):
            // Not connected: some answer from another port than they were asked at.
            let result = endpoint.withRaw { sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
            hasFailed = result != bytes.count
        }
        guard !hasFailed else {
            note(errno)
            close(descriptor)
            return
        }
        let events = kind == SOCK_STREAM ? POLLOUT : POLLIN
        sockets.append(
            Socket(
                descriptor: descriptor, endpoint: endpoint,
                interest: pollfd(fd: descriptor, events: Int16(events), revents: 0)))
    }

    /// Processes the events poll(2) returned for each socket.
    mutating func take(_ events: [Int16]) {
        for (socket, events) in zip(sockets, events) where events != 0 {
            switch order.question {
            case .connection:
                var number: Int32 = 0
                var length = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
                if number == 0 { answer = .answered([]) } else { drop(socket, because: number) }
            case .datagram(_, let isAnswer): receive(socket, isAnswer)
            }
        }
    }

    private mutating func receive(_ socket: Socket, _ isAnswer: ([UInt8]) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 9_000)
        while answer == nil {
            var sender = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let count = withUnsafeMutablePointer(to: &sender) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(socket.descriptor, &buffer, buffer.count, 0, $0, &length)
                }
            }
            guard count >= 0 else {
                if errno != EAGAIN, errno != EINTR { drop(socket, because: errno) }
                return
            }
            guard socket.endpoint.isHost(of: sender) else { continue }
            let datagram = Array(buffer[..<count])
            if isAnswer(datagram) { answer = .answered(datagram) }
        }
    }

    private mutating func drop(_ socket: Socket, because number: Int32) {
        note(number)
        close(socket.descriptor)
        sockets.removeAll { $0.descriptor == socket.descriptor }
    }

    private mutating func note(_ number: Int32) {
        switch number {
        case ECONNREFUSED, ECONNRESET: wasRefused = true
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: isShort = true
        default: break
        }
    }

    /// Reports the outcome if it is known at `now`; without a time it is final.
    func finish(at now: ContinuousClock.Instant?) -> Bool {
        let outcome: ProbeAnswer
        if let answer {
            outcome = answer
        } else if let now {
            guard sockets.isEmpty || now >= deadline else { return false }
            outcome = wasRefused ? .refused : isShort ? .impossible : .silent
        } else {
            outcome = .impossible
        }
        for socket in sockets { close(socket.descriptor) }
        order.finish(outcome)
        return true
    }
}
