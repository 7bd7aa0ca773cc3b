import Synchronization

/// What the host answers over the link in several calls, told apart by numbers of this side.
final class LinkStreams<Element: Sendable>: Sendable {
    private struct State {
        var last: UInt32 = 0
        var open: [UInt32: AsyncStream<Element>.Continuation] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Opens one.
    ///
    /// - Parameter post: Tells the host its number. Called under the lock, so that numbers rise on the wire too.
    /// - Returns: `nil` when the link is closed; nothing was posted then.
    func open(_ continuation: AsyncStream<Element>.Continuation, post: (UInt32) -> Void) -> UInt32? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.open[state.last] = continuation
            post(state.last)
            return state.last
        }
    }

    /// Hands on what came; for one that was removed meanwhile there is nobody.
    ///
    /// - Parameter isOver: Nothing follows.
    func deliver(_ elements: [Element], to number: UInt32, isOver: Bool = false) {
        let continuation = state.withLock { state in
            isOver ? state.open.removeValue(forKey: number) : state.open[number]
        }
        for element in elements { continuation?.yield(element) }
        if isOver { continuation?.finish() }
    }

    /// - Returns: `nil` where it is over already.
    func remove(_ number: UInt32) -> AsyncStream<Element>.Continuation? {
        state.withLock { $0.open.removeValue(forKey: number) }
    }

    /// The link is closed: every one ends.
    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            defer { state.open = [:] }
            return state.open
        }
        for continuation in open.values { continuation.finish() }
    }
}
