import CEventFD
import DBus
import Glibc
import Synchronization
import Threads

/// Waits for the socket of a channel on a thread, which starts with the first wait.
final class ChannelReadiness: Sendable {
    private struct State {
        var actions: [ChannelSocket.Side: @Sendable () -> Void] = [:]
        var hasThread = false
        var isOver = false
    }

    private let socket: DBusDescriptor
    /// Ends a wait for another one, or for the end.
    private let wake: DBusDescriptor
    private let state = Mutex(State())

    /// `nil` if the system has no descriptor left.
    init?(_ socket: DBusDescriptor) {
        let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { return nil }
        self.socket = socket
        wake = DBusDescriptor(received: number)
    }

    /// Calls an action once the side is ready, in place of an earlier one.
    ///
    /// - Returns: `false` if the system has no thread left.
    func once(_ side: ChannelSocket.Side, _ action: @escaping @Sendable () -> Void) -> Bool {
        let isFirst = state.withLock { state in
            guard !state.isOver else { return false }
            state.actions[side] = action
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if isFirst, !BackgroundThread.start({ self.run() }) {
            state.withLock { $0.hasThread = false }
            return false
        }
        signal()
        return true
    }

    /// Ends the thread. No action is called any longer.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.actions = [:]
        }
        signal()
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(wake.number, &one, 8)
    }

    private func run() {
        while true {
            let (sides, isOver) = state.withLock { (Array($0.actions.keys), $0.isOver) }
            guard !isOver else { return }
            // Not polled without a waiter: after its end the descriptor would always be ready.
            let events = sides.reduce(Int16(0)) { $0 | $1.event }
            var awaited = [
                pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: sides.isEmpty ? -1 : socket.number, events: events, revents: 0),
            ]
            guard poll(&awaited, 2, -1) > 0 else { continue }
            var count: UInt64 = 0
            if awaited[0].revents != 0 { _ = read(wake.number, &count, 8) }
            let ended = Int16(POLLHUP | POLLERR | POLLNVAL)
            for side in sides where awaited[1].revents & (side.event | ended) != 0 {
                state.withLock { $0.actions.removeValue(forKey: side) }?()
            }
        }
    }
}
