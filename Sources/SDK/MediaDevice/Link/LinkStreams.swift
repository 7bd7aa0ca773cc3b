import Synchronization

/// The streams of the host's answers that arrive in several calls, by numbers of this side.
final class LinkStreams<Element: Sendable>: Sendable {
    private struct State {
        var last: UInt32 = 0
        var open: [UInt32: AsyncStream<Element>.Continuation] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Opens a stream.
    ///
    /// - Parameter post: A function that sends the number to the host. It is called under the lock, so that numbers
    ///   rise on the wire too.
    /// - Returns: The number; `nil` if the link is closed. Nothing was posted then.
    func open(_ continuation: AsyncStream<Element>.Continuation, post: (UInt32) -> Void) -> UInt32? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.open[state.last] = continuation
            post(state.last)
            return state.last
        }
    }

    /// Passes elements to a stream; no effect if it was removed.
    ///
    /// - Parameter isOver: `true` if no elements follow.
    func deliver(_ elements: [Element], to number: UInt32, isOver: Bool = false) {
        let continuation = state.withLock { state in
            isOver ? state.open.removeValue(forKey: number) : state.open[number]
        }
        for element in elements { continuation?.yield(element) }
        if isOver { continuation?.finish() }
    }

    /// Removes a stream.
    ///
    /// - Returns: `nil` if it has already ended.
    func remove(_ number: UInt32) -> AsyncStream<Element>.Continuation? {
        state.withLock { $0.open.removeValue(forKey: number) }
    }

    /// Ends all streams, because the link has closed.
    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            defer { state.open = [:] }
            return state.open
        }
        for continuation in open.values { continuation.finish() }
    }
}
