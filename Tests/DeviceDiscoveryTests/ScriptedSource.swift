import DeviceDiscovery
import HostInterface
import Synchronization

/// A host that sends a test's events, and records its requests.
final class ScriptedSource: DiscoverySource {
    private let continuation = Mutex<AsyncStream<BrowseEvent>.Continuation?>(nil)
    /// Every request, in order.
    let requests: AsyncStream<BrowseRequest>
    /// One element whenever a search is given up.
    let endings: AsyncStream<Void>
    private let requestContinuation: AsyncStream<BrowseRequest>.Continuation
    private let endingContinuation: AsyncStream<Void>.Continuation

    init() {
        (requests, requestContinuation) = AsyncStream.makeStream()
        (endings, endingContinuation) = AsyncStream.makeStream()
    }

    func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> {
        let (events, continuation) = AsyncStream<BrowseEvent>.makeStream()
        continuation.onTermination = { [endingContinuation] _ in endingContinuation.yield() }
        self.continuation.withLock { $0 = continuation }
        requestContinuation.yield(request)
        return events
    }

    func send(_ kind: BrowseEvent.Kind, _ item: BrowseItem? = nil, message: String? = nil) {
        _ = continuation.withLock { $0?.yield(BrowseEvent(kind, item: item, message: message)) }
    }

    func finish() { continuation.withLock { $0?.finish() } }
}

extension AsyncStream where Element: Sendable {
    /// The next element for which a condition holds; `nil` if the stream ends before.
    func first(where condition: (Element) -> Bool = { _ in true }) async -> Element? {
        for await element in self where condition(element) { return element }
        return nil
    }
}
