import DeviceDiscovery
import NIOCore

/// The content that has arrived and the requests that wait for it. Answers have the order of the requests.
struct ReceiveQueue {
    /// The highest number of bytes collected for a request of a whole stream.
    static let greatestStream = 64 << 20
    /// The number of bytes or messages that are read ahead of requests.
    private static let readAhead = (bytes: 64 << 10, messages: 64)

    struct Request {
        let id: Int
        var minimum = 1
        var maximum = Int.max
        /// A Boolean value that requests a whole message, or a stream until its end.
        var wantsMessage = false
    }

    struct Message {
        var content: ByteBuffer
        var metadata: NWProtocolMetadata?
    }

    struct Answer {
        var content: ByteBuffer?
        var isComplete = false
        /// A Boolean value that indicates whether nothing follows on the connection.
        var isFinal = false
        var metadata: NWProtocolMetadata?
        var error: NWError?
    }

    /// A Boolean value that indicates whether messages keep their boundaries: datagrams and WebSocket messages.
    let keepsMessages: Bool
    private var stream = ByteBuffer()
    private var messages: CircularBuffer<Message> = []
    private var requests: CircularBuffer<Request> = []
    private var hasEnded = false
    private var endIsTold = false
    private var error: NWError?

    init(keepsMessages: Bool) { self.keepsMessages = keepsMessages }

    /// A Boolean value that indicates whether to read more from the network.
    var wantsMore: Bool {
        guard !hasEnded, error == nil else { return false }
        if keepsMessages { return !requests.isEmpty || messages.count < Self.readAhead.messages }
        return !requests.isEmpty || stream.readableBytes < Self.readAhead.bytes
    }

    mutating func add(_ request: Request) { requests.append(request) }
    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        if stream.readableBytes == 0 { stream = bytes } else { stream.writeBuffer(&bytes) }
    }
    mutating func append(_ message: Message) { messages.append(message) }
    mutating func end() { hasEnded = true }
    /// Records the error after which nothing arrives.
    mutating func fail(_ error: NWError) { if self.error == nil { self.error = error } }

    /// Removes and returns the answers that are available.
    mutating func take() -> [(id: Int, answer: Answer)] {
        var answers: [(Int, Answer)] = []
        while let request = requests.first {
            guard let answer = keepsMessages ? nextMessage(request) : nextBytes(request) else { break }
            requests.removeFirst()
            answers.append((request.id, answer))
        }
        return answers
    }

    /// Fails all waiting requests with an error and discards the content that has arrived.
    mutating func abandon(_ error: NWError) -> [(id: Int, answer: Answer)] {
        self.error = error
        messages = []
        stream = ByteBuffer()
        defer { requests = [] }
        return requests.map { ($0.id, Answer(error: error)) }
    }

    private mutating func nextBytes(_ request: Request) -> Answer? {
        let available = stream.readableBytes
        if request.wantsMessage {
            if available > Self.greatestStream { return Answer(isComplete: true, error: .posix(.EMSGSIZE)) }
            guard hasEnded || error != nil else { return nil }
        } else if available >= max(1, request.minimum) {
            let content = stream.readSlice(length: min(available, max(1, request.maximum)))
            stream.discardReadBytes()
            let isLast = hasEnded && stream.readableBytes == 0
            endIsTold = endIsTold || isLast
            return Answer(content: content, isComplete: isLast, isFinal: isLast)
        }
        guard hasEnded || error != nil else { return nil }
        if available > 0 {
            let content = stream.readSlice(length: min(available, request.maximum))
            let isLast = hasEnded && stream.readableBytes == 0
            endIsTold = endIsTold || isLast
            return Answer(content: content, isComplete: isLast, isFinal: isLast, error: hasEnded ? nil : error)
        }
        return ending()
    }

    private mutating func nextMessage(_ request: Request) -> Answer? {
        guard var message = messages.first else { return hasEnded || error != nil ? ending() : nil }
        let length = request.wantsMessage ? message.content.readableBytes : max(1, request.maximum)
        let content = message.content.readSlice(length: min(length, message.content.readableBytes))
        let isComplete = message.content.readableBytes == 0
        if isComplete { messages.removeFirst() } else { messages[messages.startIndex] = message }
        return Answer(content: content, isComplete: isComplete, metadata: message.metadata)
    }

    private mutating func ending() -> Answer {
        if let error, !hasEnded || endIsTold { return Answer(error: error) }
        // After the end there is nothing to receive, ever.
        guard !endIsTold else { return Answer(isComplete: true, isFinal: true, error: .posix(.ENODATA)) }
        endIsTold = true
        return Answer(isComplete: true, isFinal: true)
    }
}
