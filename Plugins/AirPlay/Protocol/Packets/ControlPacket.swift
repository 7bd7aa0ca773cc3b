/// The packets of the control port: playback times, and requests for lost packets.
package enum ControlPacket {
    /// Returns a sync packet: at `time` the receiver plays the frame `latency` before `timestamp`.
    ///
    /// - Parameter isFirst: `true` for the first packet of a run, which replaces the earlier time.
    package static func sync(timestamp: UInt32, latency: UInt32, at time: StreamTime, isFirst: Bool) -> [UInt8] {
        [isFirst ? 0x90 : 0x80, 0xD4, 0x00, 0x07] + PacketBytes.bytes(timestamp &- latency)
            + PacketBytes.bytes(time.ntp) + PacketBytes.bytes(timestamp)
    }

    /// Returns the packet that resends a lost one.
    package static func resent(_ packet: [UInt8]) -> [UInt8] { [0x80, 0xD6] + packet[2..<4] + packet }

    /// A receiver's request for lost packets.
    package struct ResendRequest: Sendable, Hashable {
        package let first: UInt16
        /// The number of packets, at most ``limit``. A receiver that lost more has lost the stream.
        package let count: Int

        package static let limit = 1024

        /// Parses a datagram; `nil` unless it requests one or more packets.
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
