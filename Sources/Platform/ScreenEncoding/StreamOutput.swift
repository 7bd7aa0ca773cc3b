import CScreenEncoding
import Glibc
import Synchronization

/// The pipe that takes the stream. Writing never waits: bytes that don't fit are kept, up to a limit, and go first.
package final class StreamOutput: Sendable {
    private static let setPipeSize: Int32 = 1031
    /// Room for a key picture of the highest bit rate.
    private static let pipeSize: Int32 = 512 << 10
    /// The bytes that are kept at most; flow control leaves pictures out long before.
    private static let keptLimit = 4 << 20

    private struct State {
        var kept: [UInt8] = []
        var isClosed = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// - Parameter descriptor: A pipe's end for writing, which stays the caller's.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, Self.setPipeSize, Self.pipeSize)
    }

    /// A Boolean value that indicates whether nobody reads the stream any more.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The number of bytes that weren't read yet, after writing what fits.
    package var backlog: Int {
        state.withLock { state in
            send(&state)
            return state.kept.count + max(0, Int(mdhost_screen_pipe_length(descriptor)))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard !state.isClosed, state.kept.count + bytes.count <= Self.keptLimit else { return }
            state.kept += bytes
            send(&state)
        }
    }

    private func send(_ state: inout State) {
        var events = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&events, 1, 0) > 0, events.revents & Int16(POLLERR) != 0 { state.isClosed = true }
        while !state.kept.isEmpty, !state.isClosed {
            let count = Glibc.write(descriptor, state.kept, state.kept.count)
            if count > 0 {
                state.kept.removeFirst(count)
            } else if errno == EINTR {
                continue
            } else if errno == EAGAIN {
                return
            } else {
                state.isClosed = true
            }
        }
        if state.isClosed { state.kept = [] }
    }
}
