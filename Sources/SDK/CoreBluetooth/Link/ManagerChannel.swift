import Dispatch
import HostInterface
import Synchronization

/// The channel between one manager and the host. It matches answers with requests and delivers everything on one queue.
final class ManagerChannel: Sendable {
    private struct State {
        var lastNumber = 0
        var waiting: [Int: @Sendable (CentralEvent) -> Void] = [:]
        var reading: Task<Void, Never>?
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let feed: AsyncStream<CentralRequest>.Continuation
    private let requests: AsyncStream<CentralRequest>

    init(queue: DispatchQueue?) {
        self.queue = queue ?? .main
        (requests, feed) = AsyncStream.makeStream(of: CentralRequest.self)
    }

    deinit { end() }

    /// Connects the channel to a source.
    ///
    /// - Parameter take: A closure that receives every event that isn't an answer, on the queue.
    func begin(_ source: any BluetoothSource, _ take: @escaping @Sendable (CentralEvent) -> Void) {
        let events = source.open(requests)
        let reading = Task { [weak self] in
            for await event in events { self?.receive(event, take) }
            guard let self, !Task.isCancelled else { return }
            failAll()
            var over = CentralEvent(.state)
            over.state = .resetting
            receive(over, take)
        }
        state.withLock { $0.reading = reading }
    }

    func end() {
        feed.finish()
        state.withLock { $0.reading }?.cancel()
    }

    func post(_ request: CentralRequest) { feed.yield(request) }

    /// Sends a request that has an answer.
    ///
    /// - Parameter take: A closure that receives the answer, on the queue.
    func ask(_ request: CentralRequest, _ take: @escaping @Sendable (CentralEvent) -> Void) {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.waiting[state.lastNumber] = take
            return state.lastNumber
        }
        var request = request
        request.number = number
        feed.yield(request)
    }

    func tell(_ action: @escaping @Sendable () -> Void) { queue.async { action() } }

    private func receive(_ event: CentralEvent, _ take: @escaping @Sendable (CentralEvent) -> Void) {
        guard event.kind == .answer else {
            tell { take(event) }
            return
        }
        guard let number = event.number,
            let waiter = state.withLock({ $0.waiting.removeValue(forKey: number) })
        else { return }
        tell { waiter(event) }
    }

    private func failAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }
        }
        for (number, take) in waiting {
            var answer = CentralEvent(.answer)
            answer.number = number
            answer.failure = BluetoothFailure(.failed, "The link to the host is closed.")
            tell { [answer] in take(answer) }
        }
    }
}
