import CEventFD
import DBus
import Glibc
import HostInterface
import SoundFeed
import Synchronization

/// The sending end of a delivery: the socket of the extension's process that is connected at the time.
///
/// ``connect()``, ``hold(_:)``, ``end()`` and ``interrupt()`` are for any thread; the rest is for the thread that delivers.
final class SampleOutlet: Sendable {
    /// The longest time that an extension may take no samples, in nanoseconds.
    static let usualPatience: UInt64 = 15_000_000_000
    /// The longest time without a connected process, in nanoseconds: longer than a recovery takes.
    static let usualAbsence: UInt64 = 120_000_000_000

    private struct State {
        /// The sending end; `nil` while no process is connected.
        var socket: DBusDescriptor?
        var isEnded = false
        var isHeld = false
    }

    enum Stop: Error {
        case ended
        /// The extension takes no samples.
        case stuck

        /// The error to report; `nil` after an end that was asked for.
        var hostError: HostError? {
            self == .stuck ? HostError(.timedOut, "The extension doesn't take the samples.") : nil
        }
    }

    private let format: SampleFormat
    private let latency: Double?
    private let patience: UInt64
    private let absence: UInt64
    private let state = Mutex(State())
    /// An eventfd that interrupts the thread.
    private let wake: Int32

    /// - Parameter latency: The latency to ask the extension for, in seconds.
    init(
        _ format: SampleFormat, latency: Double?, patience: UInt64 = usualPatience, absence: UInt64 = usualAbsence
    ) throws(HostError) {
        self.format = format
        self.latency = latency
        self.patience = patience
        self.absence = absence
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wake >= 0 else { throw Self.failure }
    }

    deinit { close(wake) }

    private static var failure: HostError {
        HostError(.internalFailure, "The samples can't be delivered: \(String(cString: strerror(errno))).")
    }

    func connect() throws(HostError) -> DeliveredSamples {
        guard let (samples, sending) = DeliveredSamples.pair(format, latency: latency) else {
            throw Self.failure
        }
        // A quarter of a second, which the kernel doubles.
        var length = Int32(clamping: format.rate * format.bytesPerFrame / 4)
        setsockopt(sending.number, SOL_SOCKET, SO_SNDBUF, &length, socklen_t(MemoryLayout<Int32>.size))
        let earlier = state.withLock { state in
            defer { state.socket = sending }
            if state.isEnded { shutdown(sending.number, Int32(SHUT_RDWR)) }
            return state.socket
        }
        if let earlier { shutdown(earlier.number, Int32(SHUT_RDWR)) }
        interrupt()
        return samples
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            // The extension could keep its end open.
            if let socket = state.socket { shutdown(socket.number, Int32(SHUT_RDWR)) }
        }
        interrupt()
    }

    func hold(_ isHeld: Bool) {
        state.withLock { $0.isHeld = isHeld }
        interrupt()
    }

    /// Ends a wait of the thread.
    func interrupt() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    // MARK: On the thread

    /// Returns the socket of the connected process, once there is one. A process that merely closed its end has no
    /// successor.
    func receiver() throws(Stop) -> DBusDescriptor {
        let begin = SamplePace.now
        while true {
            let (socket, isEnded) = state.withLock { ($0.socket, $0.isEnded) }
            guard !isEnded else { throw .ended }
            if let socket { return socket }
            let waited = SamplePace.now - begin
            guard waited < absence else { throw .stuck }
            _ = try isReady(-1, 0, within: absence - waited)
        }
    }

    func send(_ packet: [UInt8]) throws(Stop) {
        var begin = SamplePace.now
        while true {
            let socket = try receiver()
            guard Glibc.send(socket.number, packet, packet.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) < 0 else {
                return
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                if state.withLock(\.isHeld) { begin = SamplePace.now }
                let waited = SamplePace.now - begin
                guard waited < patience else { throw .stuck }
                _ = try isReady(socket.number, POLLOUT, within: patience - waited)
            default:
                // The process left: the next one gets the packet.
                disconnected(socket)
                begin = SamplePace.now
            }
        }
    }

    private func disconnected(_ socket: DBusDescriptor) {
        state.withLock { if $0.socket === socket { $0.socket = nil } }
    }

    /// Waits until the extension took the last samples, and closed its end.
    func finish() throws(Stop) {
        let socket = try receiver()
        shutdown(socket.number, Int32(SHUT_WR))
        let end = SamplePace.now + patience
        while state.withLock({ $0.socket === socket }), SamplePace.now < end {
            if try isReady(socket.number, 0, within: end - SamplePace.now) { return }
            _ = try receiver()
        }
    }

    func wait(_ nanoseconds: UInt64) throws(Stop) {
        let end = SamplePace.now + nanoseconds
        while SamplePace.now < end {
            _ = try isReady(-1, 0, within: end - SamplePace.now)
            _ = try receiver()
        }
    }

    /// Waits for a descriptor.
    ///
    /// - Parameter limit: In nanoseconds; `nil` for ever.
    /// - Returns: `false` after the limit, or if something else has to be looked at.
    func isReady(_ descriptor: Int32, _ events: Int32, within limit: UInt64?) throws(Stop) -> Bool {
        var watched = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up, so as not to wake before the time.
        let milliseconds = limit.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        poll(&watched, 2, milliseconds)
        if watched[1].revents != 0 {
            var count: UInt64 = 0
            _ = read(wake, &count, 8)
        }
        guard !state.withLock({ $0.isEnded }) else { throw .ended }
        return watched[0].revents != 0
    }
}
