import Glibc

/// One pending probe; used on the prober's thread.
struct Probe {
    struct Socket {
        let descriptor: Int32
        let endpoint: NumericEndpoint
        var interest: pollfd
    }

    private(set) var sockets: [Socket] = []
    let deadline: ContinuousClock.Instant
    private let request: ProbeRequest
    private var answer: ProbeAnswer?
    private var wasRefused = false
    private var isShort = false

    init(_ request: ProbeRequest, at now: ContinuousClock.Instant) {
        self.request = request
        deadline = now + request.limit
        for endpoint in request.endpoints { open(endpoint) }
    }

    private mutating func open(_ endpoint: NumericEndpoint) {
        let kind: __socket_type
        switch request.question {
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
        switch request.question {
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
            switch request.question {
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

    /// Returns the outcome if it is known at `now`, and closes the sockets; without a time it is final.
    func finish(at now: ContinuousClock.Instant?) -> ProbeAnswer? {
        let outcome: ProbeAnswer
        if let answer {
            outcome = answer
        } else if let now {
            guard sockets.isEmpty || now >= deadline else { return nil }
            outcome = wasRefused ? .refused : isShort ? .impossible : .silent
        } else {
            outcome = .impossible
        }
        for socket in sockets { close(socket.descriptor) }
        return outcome
    }
}
