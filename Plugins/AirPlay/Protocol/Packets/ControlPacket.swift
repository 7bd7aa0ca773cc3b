/// What goes over the control port: when to play what, and packets that were lost.
package enum ControlPacket {
    /// At `time` the receiver plays the frame `latency` before `timestamp`.
    ///
    /// - Parameter isFirst: Of a run: what the receiver knew of the time before does not count any more.
    package static func sync(timestamp: UInt32, latency: UInt32, at time: StreamTime, isFirst: Bool) -> [UInt8] {
        [isFirst ? 0x90 : 0x80, 0xD4, 0x00, 0x07] + PacketBytes.bytes(timestamp &- latency)
            + PacketBytes.bytes(time.ntp) + PacketBytes.bytes(timestamp)
    }

    /// A lost packet again, as it was.
    package static func resent(_ packet: [UInt8]) -> [UInt8] { [0x80, 0xD6] + packet[2..<4] + packet }

    /// What the receiver asks for again.
    package struct ResendRequest: Sendable, Hashable {
        package let first: UInt16
        /// At most ``limit`` are taken; a receiver that lost more has lost the stream.
        package let count: Int

        package static let limit = 1024

        /// Reads a datagram; `nil` for anything else than a request for at least one packet.
        package init?(_ packet: [UInt8]) {
            guard packet.count >= 8, packet[0] & 0xC0 == 0x80, packet[1] & 0x7F == 0x55,
                let first = PacketBytes.number(UInt16.self, in: packet, at: 4),
                let count = PacketBytes.number(UInt16.self, in: packet, at: 6), count > 0
            else { return nil }
            self.first = first
            self.count = min(Self.limit, Int(count))
        }
    }
}
