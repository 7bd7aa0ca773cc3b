import DBus
import Glibc
import Synchronization

/// The socket of a channel, which its two streams share.
final class ChannelSocket: Sendable {
    enum Side: Sendable, Hashable, CaseIterable { case input, output }

    /// The result of a read, a write or a check.
    enum Outcome: Sendable, Hashable {
        case bytes(Int)
        /// The operation has to wait.
        case nothing
        /// The peripheral or this side has closed the channel.
        case ended
        /// The connection was lost, with the number of the kernel's error.
        case lost(Int32)
    }

    private let descriptor: DBusDescriptor
    /// The most bytes that the peripheral takes at once.
    private let longestPacket: Int
    private let readiness: ChannelReadiness?
    private let closedSides = Mutex<Set<Side>>([])
    private let whenClosed: @Sendable () -> Void

    /// - Parameters:
    ///   - descriptor: A connected stream socket that doesn't block.
    ///   - whenClosed: The closure called once, at the end of the channel on this side.
    init(_ descriptor: DBusDescriptor, longestPacket: Int, whenClosed: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.longestPacket = max(1, longestPacket)
        readiness = ChannelReadiness(descriptor)
        self.whenClosed = whenClosed
    }

    deinit { for side in Side.allCases { close(side) } }

    /// Closes one side. With the second one the channel ends.
    func close(_ side: Side) {
        let isLast = closedSides.withLock { closed in closed.insert(side).inserted && closed.count == 2 }
        guard isLast else { return }
        readiness?.end()
        shutdown(descriptor.number, Int32(SHUT_RDWR))
        whenClosed()
    }

    func read(into buffer: UnsafeMutablePointer<UInt8>, _ length: Int) -> Outcome {
        outcome(recv(descriptor.number, buffer, length, 0))
    }

    /// Returns whether there is something to read, without reading it.
    func look() -> Outcome {
        var byte: UInt8 = 0
        return outcome(recv(descriptor.number, &byte, 1, Int32(MSG_PEEK)))
    }

    func write(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Outcome {
        guard length > 0 else { return .bytes(0) }
        return outcome(send(descriptor.number, bytes, min(length, longestPacket), Int32(MSG_NOSIGNAL)))
    }

    private func outcome(_ count: Int) -> Outcome {
        if count > 0 { return .bytes(count) }
        guard count < 0 else { return .ended }
        return switch errno {
        case EAGAIN, EINTR: .nothing
        // The kernel reports these for a channel that the peer closed in an orderly way.
        case ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN: .ended
        case let number: .lost(number)
        }
    }

    /// Returns whether a read or write would not have to wait, if only to fail.
    func isReady(_ side: Side) -> Bool { poll(side, 0) }

    /// Waits until ``isReady(_:)``.
    func wait(_ side: Side) { _ = poll(side, -1) }

    private func poll(_ side: Side, _ limit: Int32) -> Bool {
        var awaited = pollfd(fd: descriptor.number, events: side.event, revents: 0)
        return Glibc.poll(&awaited, 1, limit) > 0
    }

    /// Calls a closure once, as soon as ``isReady(_:)``, on a thread of the channel.
    ///
    /// - Returns: `false` if the system has no thread left.
    func whenReady(_ side: Side, _ action: @escaping @Sendable () -> Void) -> Bool {
        readiness?.once(side, action) ?? false
    }
}

extension ChannelSocket.Side {
    var event: Int16 { Int16(self == .input ? POLLIN : POLLOUT) }
}
