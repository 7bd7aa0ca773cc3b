import Glibc
import Synchronization

/// Ends a wait for a reader, from any thread; for good.
package final class ReadingStop: Sendable {
    private struct State {
        var isStopped = false
        var socket: Int32?
    }

    private let state = Mutex(State())

    package init() {}

    package func stop() {
        state.withLock { state in
            state.isStopped = true
            if let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    package var isStopped: Bool { state.withLock(\.isStopped) }

    /// Sets the socket that is waited for, at once ended if this was stopped; `nil` before it is closed.
    func watch(_ socket: Int32?) {
        state.withLock { state in
            state.socket = socket
            if state.isStopped, let socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }
}
