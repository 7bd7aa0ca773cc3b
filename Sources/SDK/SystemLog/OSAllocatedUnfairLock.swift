import Synchronization

/// A lock that protects a value.
///
/// Source: os, iOS 27 SDK.
public struct OSAllocatedUnfairLock<State>: Sendable where State: Sendable {
    private final class Storage: Sendable {
        let state: Mutex<State>
        init(_ state: State) { self.state = Mutex(state) }
    }
    private let storage: Storage

    /// Creates a lock with its value.
    public init(initialState: State) { storage = Storage(initialState) }

    /// Creates a lock without a value.
    public init() where State == Void { self.init(initialState: ()) }

    /// Runs a closure with the value while it holds the lock.
    public func withLock<Result: Sendable, Failure: Error>(
        _ body: @Sendable (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.state.withLock { state throws(Failure) in try body(&state) }
    }

    /// Runs a closure with the value while it holds the lock. The closure needn't be sendable.
    public func withLockUnchecked<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        nonisolated(unsafe) var result: Result?
        try storage.state.withLock { state throws(Failure) in result = try body(&state) }
        return result!
    }
}
