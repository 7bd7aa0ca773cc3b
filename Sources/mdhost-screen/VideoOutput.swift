import Glibc
import HostInterface
import PacketSockets
import Synchronization

/// The socket that takes packets of video. Sending never waits: packets that don't fit are kept, up to a limit, and go
/// first.
final class VideoOutput: Sendable {
    /// The bytes that are kept at most; flow control leaves pictures out long before.
    private static let keptLimit = 16 << 20
    /// The room of the socket in bytes, which the kernel bounds.
    private static let room: Int32 = 1 << 20

    private struct State {
        var kept: [[UInt8]] = []
        var number: UInt64 = 0
        var time: UInt64 = 0
        var isClosed = false

        var keptLength: Int { kept.reduce(0) { $0 + $1.count } }
    }

    private let socket: Int32
    private let state = Mutex(State())

    /// - Parameter socket: Stays the caller's.
    init(socket: Int32) {
        self.socket = socket
        var room = Self.room
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The number of bytes that weren't taken yet, after sending what fits.
    var backlog: Int {
        state.withLock { state in
            flush(&state)
            return state.keptLength + PacketSocket.backlog(of: socket)
        }
    }

    /// Sends an access unit. One that finds too much kept is lost, and the reader waits for the next key picture.
    func send(_ unit: UnsafeRawBufferPointer, capturedAt time: UInt64, isKey: Bool) {
        state.withLock { state in
            defer { state.number += 1 }
            guard !state.isClosed, state.keptLength + unit.count <= Self.keptLimit else { return }
            // The clock of capture can be set back.
            state.time = max(state.time + 1, time)
            state.kept += VideoPacket.packets(of: unit, time: state.time, number: state.number, isKey: isKey)
            flush(&state)
        }
    }

    /// Returns whether the reader has asked for a key picture since the last call.
    func takeKeyRequest() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        var isAsked = false
        // A reader that asks without end is heard again at the next picture.
        for _ in 0..<16 {
            let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count == 0 { state.withLock { $0.isClosed = true } }
            guard count > 0 else { return isAsked }
            isAsked = true
        }
        return isAsked
    }

    private func flush(_ state: inout State) {
        var sent = 0
        for packet in state.kept {
            guard PacketSocket.send(packet, on: socket, waits: false) else {
                if errno != EAGAIN { state.isClosed = true }
                break
            }
            sent += 1
        }
        state.kept.removeFirst(sent)
        if state.isClosed { state.kept = [] }
    }
}
