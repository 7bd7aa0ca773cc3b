import DeviceDiscovery
import NIOCore

/// The states of one connection, without I/O: each event returns the actions to perform, in order.
struct ConnectionMachine {
    /// The highest number of bytes that wait to be sent.
    static let greatestBacklog = 64 << 20

    enum Phase: Equatable {
        case setup
        /// An attempt, with its number.
        case preparing(Int)
        case waiting
        case ready
        /// The connection sends the content accepted before `cancel()`.
        case closing
        case failed(NWError)
        case cancelled
    }

    struct Send: Sendable {
        let id: Int
        var content: ByteBuffer?
        /// A Boolean value that indicates whether nothing follows in this direction.
        var endsOutput = false
        var metadata: NWProtocolMetadata?
    }

    enum Action {
        case tell(NWConnection.State)
        case attempt(Int)
        /// Drop the attempt or the channel at once.
        case abandon
        case write(Send)
        /// Close the channel, with the closing messages of its protocols.
        case close
        case finishReceive(Int, ReceiveQueue.Answer)
        case finishSend(Int, NWError?)
    }

    private(set) var phase = Phase.setup
    private(set) var receiving: ReceiveQueue
    private var attempts = 0
    private var waitingSends: [Send] = []
    /// The number of bytes of each send in progress, by number.
    private var inFlight: [Int: Int] = [:]
    private var backlog = 0
    private var outputIsClosed = false

    init(keepsMessages: Bool) { receiving = ReceiveQueue(keepsMessages: keepsMessages) }

    var wantsMore: Bool { phase == .ready && receiving.wantsMore }
    var isWaiting: Bool { phase == .waiting }
    var isReady: Bool { phase == .ready }

    // MARK: Requests of the owner

    mutating func start() -> [Action] { phase == .setup ? begin() : [] }

    /// Retries at once; no effect unless the connection is waiting.
    mutating func retry() -> [Action] { phase == .waiting ? begin() : [] }

    mutating func receive(_ request: ReceiveQueue.Request) -> [Action] {
        if phase == .cancelled || phase == .closing {
            return [.finishReceive(request.id, ReceiveQueue.Answer(error: .posix(.ECANCELED)))]
        }
        receiving.add(request)
        return answers()
    }

    mutating func send(_ send: Send) -> [Action] {
        let bytes = send.content?.readableBytes ?? 0
        switch phase {
        case .cancelled, .closing: return [.finishSend(send.id, .posix(.ECANCELED))]
        case .failed(let error): return [.finishSend(send.id, error)]
        case _ where outputIsClosed: return [.finishSend(send.id, .posix(.EPIPE))]
        case _ where backlog + bytes > Self.greatestBacklog: return [.finishSend(send.id, .posix(.ENOBUFS))]
        case .ready:
            outputIsClosed = send.endsOutput
            return write(send)
        case .setup, .preparing, .waiting:
            outputIsClosed = send.endsOutput
            backlog += bytes
            waitingSends.append(send)
            return []
        }
    }

    /// Ends the connection after everything that was accepted is sent.
    mutating func cancel() -> [Action] {
        guard phase == .ready else { return forceCancel() }
        phase = .closing
        let answers = abandonReceives()
        return inFlight.isEmpty ? answers + [.close] : answers
    }

    mutating func forceCancel() -> [Action] {
        guard phase != .cancelled else { return [] }
        let answers = abandonReceives() + abandonSends(.posix(.ECANCELED))
        phase = .cancelled
        return [.abandon] + answers + [.tell(.cancelled)]
    }

    // MARK: Events

    mutating func connected(_ attempt: Int) -> [Action] {
        guard phase == .preparing(attempt) else { return [] }
        phase = .ready
        let sends = waitingSends
        (waitingSends, backlog) = ([], 0)
        return [.tell(.ready)] + sends.flatMap { write($0) }
    }

    mutating func attemptFailed(_ attempt: Int, _ error: NWError) -> [Action] {
        guard phase == .preparing(attempt) else { return [] }
        // Another path leads to the same certificate or protocol: nothing to wait for.
        if !error.mayPass { return fail(error) }
        phase = .waiting
        return [.abandon, .tell(.waiting(error))]
    }

    mutating func received(_ bytes: ByteBuffer) -> [Action] {
        receiving.append(bytes)
        return answers()
    }

    mutating func received(_ message: ReceiveQueue.Message) -> [Action] {
        receiving.append(message)
        return answers()
    }

    mutating func inputEnded() -> [Action] {
        receiving.end()
        return answers()
    }

    mutating func wrote(_ id: Int, _ error: NWError?) -> [Action] {
        guard let bytes = inFlight.removeValue(forKey: id) else { return [] }
        backlog -= bytes
        let done = [Action.finishSend(id, error)]
        if let error, phase == .ready { return done + fail(error) }
        return phase == .closing && inFlight.isEmpty ? done + [.close] : done
    }

    /// Responds to a broken channel, in any phase.
    mutating func broke(_ error: NWError) -> [Action] {
        switch phase {
        case .preparing(let attempt): attemptFailed(attempt, error)
        case .ready: fail(error)
        case .closing: forceCancel()
        case .setup, .waiting, .failed, .cancelled: []
        }
    }

    /// Responds to a closed channel.
    mutating func closed() -> [Action] {
        switch phase {
        case .preparing(let attempt): attemptFailed(attempt, .posix(.ECONNRESET))
        case .ready: inputEnded()
        case .closing: forceCancel()
        case .setup, .waiting, .failed, .cancelled: []
        }
    }

    // MARK: Parts

    private mutating func begin() -> [Action] {
        attempts += 1
        phase = .preparing(attempts)
        return [.tell(.preparing), .attempt(attempts)]
    }

    private mutating func fail(_ error: NWError) -> [Action] {
        phase = .failed(error)
        receiving.fail(error)
        return [.abandon] + answers() + abandonSends(error) + [.tell(.failed(error))]
    }

    private mutating func write(_ send: Send) -> [Action] {
        let bytes = send.content?.readableBytes ?? 0
        inFlight[send.id] = bytes
        backlog += bytes
        return [.write(send)]
    }

    private mutating func answers() -> [Action] { receiving.take().map { .finishReceive($0.id, $0.answer) } }

    private mutating func abandonReceives() -> [Action] {
        receiving.abandon(.posix(.ECANCELED)).map { .finishReceive($0.id, $0.answer) }
    }

    private mutating func abandonSends(_ error: NWError) -> [Action] {
        defer { (waitingSends, inFlight, backlog) = ([], [:], 0) }
        return inFlight.keys.sorted().map { .finishSend($0, error) } + waitingSends.map { .finishSend($0.id, error) }
    }
}

extension NWError {
    /// A Boolean value that indicates whether another path or a later attempt can succeed.
    var mayPass: Bool {
        switch self {
        case .tls, .posix(.EPROTONOSUPPORT), .posix(.EINVAL), .posix(.EPERM), .posix(.EACCES), .posix(.EPROTO),
            .posix(.EADDRINUSE), .posix(.EAFNOSUPPORT):
            false
        case .dns(let code):
            code != DNSServiceErrorType(kDNSServiceErr_BadParam)
                && code != DNSServiceErrorType(kDNSServiceErr_PolicyDenied)
        case .posix: true
        }
    }
}
