import Synchronization

/// What waits for one reader, put in from any thread.
///
/// Unlike the buffer of an `AsyncStream` it gives its memory back, hands over many elements at a time, and its reader goes
/// on where it runs, without another thread in between.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        /// Resumed when there is something, or the end.
        var reader: CheckedContinuation<Void, Never>?
        var isFinished = false
        /// The reader wants no more than what waits.
        var isCancelled = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Ignored after ``finish()``.
    package func yield(_ element: Element) {
        let reader = state.withLock { state in
            if !state.isFinished { state.waiting.append(element) }
            return state.reader.take()
        }
        reader?.resume()
    }

    /// The reader gets what waits, and then the end.
    package func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Everything in order, for one reader.
    package var elements: Batches<Element> { Batches({ await self.take($0) }, cancel: { self.cancel() }) }

    private func take(_ isolation: isolated (any Actor)?) async -> [Element]? {
        while true {
            let (batch, isOver) = state.withLock { state in
                defer { state.waiting = [] }
                return (state.waiting, state.isFinished || state.isCancelled)
            }
            if !batch.isEmpty { return batch }
            if isOver { return nil }
            await wait(isolation)
        }
    }

    private func wait(_ isolation: isolated (any Actor)?) async {
        await withCheckedContinuation(isolation: isolation) { continuation in
            let isReady = state.withLock { state in
                guard state.waiting.isEmpty, !state.isFinished, !state.isCancelled else { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    private func cancel() {
        let reader = state.withLock { state in
            state.isCancelled = true
            return state.reader.take()
        }
        reader?.resume()
    }
}

/// Elements that are fetched many at a time, and read one by one where the reader runs.
///
/// Not ended by the cancellation of the reading task but by ``cancel()``: a handler of cancellation around every wait would
/// take a detour over another thread.
package struct Batches<Element: Sendable>: AsyncSequence, Sendable {
    package typealias Failure = Never

    /// At least one element, or `nil` at the end; where the reader runs.
    package typealias Take = @Sendable (isolated (any Actor)?) async -> [Element]?

    private let take: Take
    private let whenCancelled: @Sendable () -> Void

    package init(_ take: @escaping Take, cancel: @escaping @Sendable () -> Void) {
        self.take = take
        whenCancelled = cancel
    }

    /// The reader gets what waits, and then the end.
    package func cancel() { whenCancelled() }

    package func makeAsyncIterator() -> Iterator { Iterator(take: take) }

    package struct Iterator: AsyncIteratorProtocol {
        private let take: Take
        private var batch: [Element] = []
        private var index = 0
        /// Elements since others had their turn.
        private var run = 0

        /// So many elements are read before others where the reader runs get their turn.
        private static var longestRun: Int { 64 }

        fileprivate init(take: @escaping Take) { self.take = take }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            run += 1
            if run > Self.longestRun {
                run = 0
                await Task.yield()
            }
            if index == batch.count {
                guard let fetched = await take(actor) else { return nil }
                (batch, index) = (fetched, 0)
            }
            defer { index += 1 }
            return batch[index]
        }

        package mutating func next() async -> Element? { await next(isolation: nil) }
    }
}
