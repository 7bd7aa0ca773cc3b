import Dispatch
import Synchronization

/// The room for messages that were received and aren't processed yet, for one receiving thread.
///
/// Further messages wait at the sender, which limits them as well.
package final class DataWindow: Sendable {
    private struct State {
        var used = 0
        var isWaiting = false
        var isClosed = false
    }

    /// The room that each message takes in addition to its bytes.
    private static let overhead = 256

    private let size: Int
    private let state = Mutex(State())
    // From zero, so that it may be released with any value.
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter size: The number of bytes in the window. A message that is longer comes alone.
    package init(size: Int) { self.size = size }

    /// Waits until there is room for a message, and takes it.
    ///
    /// - Returns: `false` if the window is closed.
    package func take(_ length: Int) -> Bool {
        while true {
            let isTaken: Bool? = state.withLock { state in
                guard !state.isClosed else { return nil }
                let wanted = state.used + length + Self.overhead
                state.isWaiting = state.used > 0 && wanted > size
                if !state.isWaiting { state.used = wanted }
                return !state.isWaiting
            }
            guard let isTaken else { return false }
            if isTaken { return true }
            wake.wait()
        }
    }

    /// Gives back the room of a message.
    package func giveBack(_ length: Int) { wakeUp { $0.used -= length + Self.overhead } }

    /// Ends the waiting, because the messages are no longer wanted.
    package func close() { wakeUp { $0.isClosed = true } }

    private func wakeUp(_ change: (inout State) -> Void) {
        let isWaiting = state.withLock { state in
            change(&state)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isWaiting { wake.signal() }
    }
}
