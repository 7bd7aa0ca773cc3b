package import DBus
import Glibc
import Synchronization
import Threads

/// One end of a data channel: a stream socket on which both sides write frames at any time.
///
/// A thread reads. Each frame is written where it is sent, in the order of the calls; what the socket has no room for is
/// written by another thread, which ends when nothing waits any more.
package final class DataSocket: Sendable {
    private struct State {
        var unsent: [UInt8] = []
        /// The number of bytes that the writing thread has taken; `nil` without such a thread.
        var writing: Int?
        var isClosed = false
    }

    private let socket: DBusDescriptor
    private let longestUnsent: Int
    private let state = Mutex(State())

    /// Opens a pair of connected sockets.
    ///
    /// - Returns: `nil` if the system has no descriptors left, with the reason in `errno`.
    package static func pair() -> (DBusDescriptor, DBusDescriptor)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (DBusDescriptor(received: ends[0]), DBusDescriptor(received: ends[1]))
    }

    /// - Parameters:
    ///   - socket: A connected stream socket.
    ///   - longestUnsent: The number of bytes that may wait for an end that doesn't read. A longer queue closes the channel.
    package init(_ socket: DBusDescriptor, longestUnsent: Int) {
        self.socket = socket
        self.longestUnsent = longestUnsent
    }

    /// Begins to read. Call it once.
    ///
    /// - Parameters:
    ///   - longest: The greatest length of a message from the other end, in bytes.
    ///   - receive: Called for each frame in order, on the reading thread. The next is read when it returns.
    ///   - ended: Called once, after the last frame: the other end has closed the channel, or sent what is no frame, or
    ///     ``close()`` was called. The thread retains both closures until then.
    /// - Returns: `false` if the system has no thread left; nothing is called then.
    package func start(
        longest: Int, receive: @escaping @Sendable (DataFrame) -> Void,
        ended: @escaping @Sendable (MalformedFrame?) -> Void
    ) -> Bool {
        BackgroundThread.start { [self] in
            var reader = DataFrameReader(longest: longest)
            var failure: MalformedFrame?
            do throws(MalformedFrame) {
                try read { bytes throws(MalformedFrame) in
                    reader.append(bytes)
                    while let frame = try reader.next() { receive(frame) }
                }
            } catch {
                failure = error
            }
            close()
            ended(failure)
        }
    }

    private func read(_ take: (ArraySlice<UInt8>) throws(MalformedFrame) -> Void) throws(MalformedFrame) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(socket.number, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            try take(buffer[..<count])
        }
    }

    /// Sends a frame, without waiting for room.
    ///
    /// - Returns: `false` if the channel is closed.
    @discardableResult
    package func send(_ frame: DataFrame) -> Bool {
        let bytes = frame.bytes
        let (isSent, mustWrite) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            if let writing = state.writing {
                state.unsent += bytes
                return (writing + state.unsent.count <= longestUnsent, false)
            }
            guard let count = write(bytes[...], flags: Int32(MSG_DONTWAIT)) else { return (false, false) }
            guard count < bytes.count else { return (true, false) }
            state.unsent = Array(bytes[count...])
            state.writing = 0
            return (state.unsent.count <= longestUnsent, true)
        }
        guard isSent, !mustWrite || BackgroundThread.start({ self.writeUnsent() }) else {
            close()
            return false
        }
        return true
    }

    private func writeUnsent() {
        while let bytes = takeUnsent() {
            var rest = bytes[...]
            while !rest.isEmpty {
                guard let count = write(rest, flags: 0) else { return close() }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// - Returns: `nil` if there is nothing more to write; the calling thread must end then.
    private func takeUnsent() -> [UInt8]? {
        state.withLock { state in
            defer { state.unsent = [] }
            state.writing = state.unsent.isEmpty ? nil : state.unsent.count
            return state.writing == nil ? nil : state.unsent
        }
    }

    /// - Returns: The number of bytes that were written; `nil` if the other end is gone.
    private func write(_ bytes: ArraySlice<UInt8>, flags: Int32) -> Int? {
        while true {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, flags | Int32(MSG_NOSIGNAL))
            }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: return 0
            default: return nil
            }
        }
    }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Closes the channel for both ends, and discards what waits to be sent.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.unsent = []
        }
        shutdown(socket.number, Int32(SHUT_RDWR))
    }
}
