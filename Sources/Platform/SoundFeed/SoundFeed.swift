import Glibc
import Synchronization

/// What programs play to one sink, on its way to whoever reads it: signed 16 bit, little end first, two channels.
///
/// The sound server's thread hands in blocks, and asks before whether one is wanted; any other may open and end it.
package final class SoundFeed: Sendable {
    package enum Event: Sendable, Hashable {
        /// There is something to be heard; the sink's programs wait until it is opened or shut.
        case sound
        /// It was silent for a while: what is read ended behind the last sample.
        case quiet
        /// Whoever read does not any more.
        case cut
    }

    package static let rate = 44_100
    /// Seconds of silence after which a device is let go.
    package static let patience = 10.0
    /// Frames in a block.
    package static let blockLength = 1024
    /// Frames that go on at a time, a tenth of a second: each time wakes everybody who is on the way to the device.
    package static let batchLength = 4 * blockLength
    package static let bytesPerFrame = 4
    private static let silence = [UInt8](repeating: 0, count: blockLength * bytesPerFrame)

    private struct State {
        var gate: SoundGate
        /// Of a pair of sockets, the writing end; -1 without one. A pipe would have this process hear of a reader that left by
        /// a signal, which is not for a part of it to handle.
        var descriptor: Int32 = -1
        /// What came before anybody read, and what has not gone on yet.
        var kept: [UInt8] = []
        /// Since the first sound.
        var frames = 0
        var progress: SampleProgress?
    }

    private let state: Mutex<State>
    private let onEvent: @Sendable (Event) -> Void
    private let batch: Int

    /// - Parameters:
    ///   - patience: Seconds of silence after which it is over.
    ///   - batchLength: Frames that go on at a time.
    ///   - onEvent: Called on whatever thread it happened.
    package init(
        patience: Double = SoundFeed.patience, batchLength: Int = SoundFeed.batchLength,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        let gate = SoundGate(patience: Int(patience * Double(Self.rate)), pause: Self.rate)
        state = Mutex(State(gate: gate))
        batch = batchLength * Self.bytesPerFrame
        self.onEvent = onEvent
    }

    deinit { state.withLock { Self.close(&$0) } }

    package var isOpen: Bool { state.withLock { $0.gate.phase == .open } }

    /// Whether it has to be told of silence, too, where nobody plays.
    package var wantsSilence: Bool { state.withLock { $0.gate.phase == .open || $0.gate.phase == .deaf } }

    /// The latest block, with the frames counted from the first sound; `nil` while nobody reads.
    package var progress: SampleProgress? { state.withLock { $0.gate.phase == .open ? $0.progress : nil } }

    /// Whether a block can be taken now.
    package var takesBlock: Bool {
        state.withLock { state in
            guard state.gate.takesSamples else { return false }
            guard state.descriptor >= 0 else { return true }
            var event = pollfd(fd: state.descriptor, events: Int16(POLLOUT), revents: 0)
            // One that nobody reads is noticed by writing.
            return poll(&event, 1, 0) > 0
        }
    }

    /// Takes a block, or less than one.
    package func take(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        let event: Event? = state.withLock { state in
            let frames = bytes.count / Self.bytesPerFrame
            let before = state.frames
            state.frames += frames
            switch state.gate.take(isSilent: Self.isSilent(bytes), frames: frames) {
            case .drop: return nil
            case .keep(let isFirst):
                state.kept += bytes
                if isFirst { state.frames = frames }
                return isFirst ? .sound : nil
            case .pass:
                state.progress = SampleProgress(frames: before, time: SamplePace.now)
                state.kept += bytes
                return state.kept.count < batch || Self.writeKept(&state) ? nil : .cut
            case .passAsLast:
                state.kept += bytes
                let isRead = Self.writeKept(&state)
                // Whatever doesn't fit is part of the silence.
                state.kept = []
                Self.close(&state)
                return isRead ? .quiet : .cut
            }
        }
        if let event { onEvent(event) }
    }

    /// The same as a block of silence.
    package func takeSilence() { Self.silence.withUnsafeBytes { take($0) } }

    /// Has samples be read, from the first that was kept.
    ///
    /// - Returns: A descriptor to read from, which is the caller's.
    /// - Throws: ``SoundServerError`` where the system has none left.
    package func open() throws(SoundServerError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SoundServerError("What is played cannot be read: \(String(cString: strerror(errno)))")
        }
        // Half a second to a whole one, which a busy machine may take to read on.
        var length = Int32(400_000)
        setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &length, socklen_t(MemoryLayout<Int32>.size))
        state.withLock { state in
            Self.close(&state)
            state.descriptor = ends[1]
            // Programs go on now: what they waited with was handed in at another time.
            state.progress = SampleProgress(frames: state.frames, time: SamplePace.now)
            state.gate.open()
            _ = Self.writeKept(&state)
        }
        return ends[0]
    }

    /// Drops what is played from now on, until it is silent and something else is played.
    package func shut() {
        state.withLock { state in
            Self.close(&state)
            state.kept = []
            state.gate.shut()
        }
    }

    private static func close(_ state: inout State) {
        if state.descriptor >= 0 { Glibc.close(state.descriptor) }
        state.descriptor = -1
    }

    /// Writes what there is room for, without waiting: the sound server's thread also serves the reader's start.
    ///
    /// - Returns: `false` where nobody reads any more.
    private static func writeKept(_ state: inout State) -> Bool {
        while !state.kept.isEmpty, state.descriptor >= 0 {
            let count = state.kept.withUnsafeBytes {
                send(state.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                state.kept.removeFirst(count)
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                close(&state)
                state.kept = []
                state.gate.shut()
                return false
            }
        }
        return true
    }

    private static func isSilent(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Noise of the last bit is what converters make of silence.
        bytes.bindMemory(to: Int16.self).allSatisfy { -1...1 ~= Int16(littleEndian: $0) }
    }
}
