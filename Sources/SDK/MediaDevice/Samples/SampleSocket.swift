package import DBus
import Foundation
package import HostInterface

/// The socket on which the host delivers the live samples of a session.
package final class SampleSocket: Sendable {
    package let format: SampleFormat
    /// The wanted latency in seconds.
    let latency: Double?
    private let packets: PacketReading

    package init(_ socket: DBusDescriptor, _ format: SampleFormat, latency: Double? = nil) {
        self.latency = latency
        self.format = format
        packets = PacketReading(socket, maximumLength: SamplePacket.maximumLength, label: "org.mdhost.samples")
    }

    /// Takes the right to read, which only one reader has.
    ///
    /// - Returns: `false` if another one has it.
    func take() -> Bool { packets.take() }

    /// A Boolean value that indicates whether no more packets come.
    var isAtEnd: Bool { packets.isAtEnd }

    /// Waits for the next packet. One caller at a time.
    ///
    /// - Returns: The header and the frames; `nil` after the last packet, and after the task was cancelled.
    func next() async -> (header: SamplePacket, frames: Data)? {
        guard let packet = await packets.next() else { return nil }
        guard let header = packet.withUnsafeBytes({ SamplePacket($0) }) else {
            packets.end()
            return nil
        }
        return (header, packet.dropFirst(SamplePacket.headerLength))
    }
}
