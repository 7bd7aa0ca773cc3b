import DBus
import DataChannels
import Foundation
import HostInterface
import Synchronization

/// An open data channel to an extension's process.
final class DataChannelConnection: Sendable {
    private struct State {
        /// The messages without an answer, in the order in which they were sent.
        var unanswered: [CheckedContinuation<HostError?, Never>] = []
        var isOver = false
    }

    /// The number of bytes of messages that may wait for the delegate.
    private static let longestUnprocessed = 16 << 20

    private let socket: DataSocket
    private let window = DataWindow(size: longestUnprocessed)
    private let receive: @Sendable (Data, _ done: @escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - end: The app's end of the channel.
    ///   - receive: Called for each message, in order. `done` is to be called when it has been processed.
    init(
        _ end: DBusDescriptor, receive: @escaping @Sendable (Data, _ done: @escaping @Sendable () -> Void) -> Void
    ) {
        // The app waits for each of its messages, so the queue is the app's own memory.
        socket = DataSocket(end, longestUnsent: .max)
        self.receive = receive
    }

    /// Begins to receive messages and answers. Call it once.
    func start() {
        let isStarted = socket.start(longest: DataFrame.longestFromExtension) { [weak self, window, receive] frame in
            switch frame {
            case .message(let data):
                if window.take(data.count) { receive(data) { window.giveBack(data.count) } }
            case .accepted: self?.answer(nil)
            case .refused(let error): self?.answer(error)
            }
        } ended: { [weak self] _ in
            self?.end()
        }
        // Without a thread.
        if !isStarted { end() }
    }

    deinit {
        socket.close()
        window.close()
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Sends a message, and returns when the extension has accepted it.
    ///
    /// - Throws: ``HostError``: the extension's own, `invalid-argument` for a message that is too long, or
    ///   `session-failed` if the channel ends before the answer.
    func send(_ data: Data) async throws(HostError) {
        guard data.count <= DataFrame.longestFromApp else {
            throw HostError(.invalidArgument, "A message has at most \(DataFrame.longestFromApp >> 20) MiB.")
        }
        let failure = await withCheckedContinuation { continuation in
            // Under the lock, because the answers come in the order of the messages.
            let isSent = state.withLock { state in
                guard !state.isOver, socket.send(.message(data)) else { return false }
                state.unanswered.append(continuation)
                return true
            }
            if !isSent { continuation.resume(returning: Self.ended) }
        }
        if let failure { throw failure }
    }

    private func answer(_ error: HostError?) {
        let first = state.withLock { $0.unanswered.isEmpty ? nil : $0.unanswered.removeFirst() }
        // Without a question, nobody knows whose the next answers are.
        guard let first else { return socket.close() }
        first.resume(returning: error)
    }

    private func end() {
        socket.close()
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.unanswered = [] }
            return state.unanswered
        }
        for continuation in waiting { continuation.resume(returning: Self.ended) }
    }

    private static let ended = HostError(.sessionFailed, "The data channel ended before the message was accepted.")
}
