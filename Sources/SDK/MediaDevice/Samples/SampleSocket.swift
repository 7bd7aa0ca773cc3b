import DBus
import Dispatch
import Foundation
import Glibc
import HostInterface
import Synchronization

/// The socket on which the host delivers the live samples of a session.
package final class SampleSocket: Sendable {
    package let format: SampleFormat
    /// The wanted latency in seconds.
    let latency: Double?
    private let socket: DBusDescriptor
    /// Reading waits for packets, so it has a queue of its own.
    private let queue = DispatchQueue(label: "org.mdhost.samples")
    private let isTaken = Atomic(false)

    package init(_ socket: DBusDescriptor, _ format: SampleFormat, latency: Double? = nil) {
        self.latency = latency
        self.socket = socket
        self.format = format
    }

    deinit { end() }

    /// Takes the right to read, which only one reader has.
    ///
    /// - Returns: `false` if another one has it.
    func take() -> Bool { isTaken.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged }

    /// Waits for the next packet. One caller at a time.
    ///
    /// - Returns: The header and the frames; `nil` after the last packet, and after the task was cancelled.
    func next() async -> (header: SamplePacket, frames: Data)? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.receive()) }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends reading. The host learns of it.
    private func end() { shutdown(socket.number, Int32(SHUT_RDWR)) }

    private func receive() -> (SamplePacket, Data)? {
        var bytes = Data(count: SamplePacket.maximumLength)
        var count = 0
        repeat {
            count = bytes.withUnsafeMutableBytes { recv(socket.number, $0.baseAddress, $0.count, 0) }
        } while count < 0 && errno == EINTR
        guard count > 0, let header = bytes.withUnsafeBytes({ SamplePacket(.init(rebasing: $0[..<count])) }) else {
            end()
            return nil
        }
        return (header, bytes[SamplePacket.headerLength..<count])
    }
}
