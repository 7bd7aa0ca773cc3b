import DBus
import Dispatch
import Foundation
import Glibc
import Synchronization

/// A packet socket (`SOCK_SEQPACKET`) that one reader reads.
final class PacketReading: Sendable {
    private let socket: DBusDescriptor
    private let maximumLength: Int
    /// Reading waits for packets, so it has a queue of its own.
    private let queue: DispatchQueue
    private let isTaken = Atomic(false)

    init(_ socket: DBusDescriptor, maximumLength: Int, label: String) {
        self.socket = socket
        self.maximumLength = maximumLength
        queue = DispatchQueue(label: label)
    }

    deinit { end() }

    /// Takes the right to read, which only one reader has.
    ///
    /// - Returns: `false` if another one has it.
    func take() -> Bool { isTaken.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged }

    /// Waits for the next packet. One caller at a time.
    ///
    /// - Returns: `nil` after the last packet, and after the task was cancelled.
    func next() async -> Data? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.receive()) }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends reading. The writer learns of it.
    func end() { shutdown(socket.number, Int32(SHUT_RDWR)) }

    /// A Boolean value that indicates whether the writer has ended and every packet was read.
    var isAtEnd: Bool {
        var byte: UInt8 = 0
        return recv(socket.number, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    /// Sends a byte to the writer. Nothing happens if the writer doesn't read.
    func send(_ byte: UInt8) {
        withUnsafeBytes(of: byte) {
            _ = Glibc.send(socket.number, $0.baseAddress, 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
    }

    private func receive() -> Data? {
        var bytes = Data(count: maximumLength)
        var count = 0
        repeat {
            count = bytes.withUnsafeMutableBytes { recv(socket.number, $0.baseAddress, $0.count, 0) }
        } while count < 0 && errno == EINTR
        guard count > 0 else {
            end()
            return nil
        }
        return bytes.prefix(count)
    }
}
