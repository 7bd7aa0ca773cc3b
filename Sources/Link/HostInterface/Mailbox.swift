import Synchronization
import Threads

/// A queue with one reader, to which any thread can add elements.
///
/// Unlike the buffer of an `AsyncStream` it frees its memory, delivers many elements at a time, and resumes the reader
/// on its own executor.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        /// The waiting reader, resumed by an element or the end.
        var reader: IsolatedContinuation?
        var isFinished = false
        /// A Boolean value that indicates whether the reader only wants the elements in the queue.
        var isCancelled = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds an element; no effect after ``finish()``.
    package func yield(_ element: Element) {
        let reader = state.withLock { state in
            if !state.isFinished { state.waiting.append(element) }
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Ends the queue after its elements.
    package func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// The elements in order, for one reader.
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
                state.reader = IsolatedContinuation(continuation, isolation: isolation)
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

/// A sequence that fetches many elements at a time, and delivers them one by one on the reader's executor.
///
/// Cancelling the reading task doesn't end it; call ``cancel()``. A cancellation handler for every wait would need
/// another thread.
package struct Batches<Element: Sendable>: AsyncSequence, Sendable {
    package typealias Failure = Never

    /// A function that returns one or more elements, or `nil` at the end, on the reader's executor.
    package typealias Take = @Sendable (isolated (any Actor)?) async -> [Element]?

    private let take: Take
    private let whenCancelled: @Sendable () -> Void

    package init(_ take: @escaping Take, cancel: @escaping @Sendable () -> Void) {
        self.take = take
        whenCancelled = cancel
    }

    /// Ends the sequence after the queued elements.
    package func cancel() { whenCancelled() }

    package func makeAsyncIterator() -> Iterator { Iterator(take: take) }

    package struct Iterator: AsyncIteratorProtocol {
        private let take: Take
        private var batch: [Element] = []
        private var index = 0
        /// The number of elements since the last yield.
        private var run = 0

        /// The number of elements after which the reader yields to other work on its executor.
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
