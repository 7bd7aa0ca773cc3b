import Synchronization

/// The requests that a server received.
final class RequestLog: Sendable {
    private let requests = Mutex<[String]>([])

    func append(_ request: String) { requests.withLock { $0.append(request) } }

    var all: [String] { requests.withLock { $0 } }
}
