/// The receiver's question for this machine's clock.
///
/// The answer carries when the question was sent (by the receiver's clock), when it came and when the answer left.
package struct TimingPacket: Sendable, Hashable {
    private static let size = 32

    /// The receiver's clock as it sent this, which only it can read.
    package let sent: UInt64
    private let sequenceNumber: UInt16

    /// Reads a datagram; `nil` for anything else than a question.
    package init?(_ packet: [UInt8]) {
        guard packet.count >= Self.size, packet[0] & 0xC0 == 0x80, packet[1] & 0x7F == 0x52,
            let number = PacketBytes.number(UInt16.self, in: packet, at: 2),
            let sent = PacketBytes.number(UInt64.self, in: packet, at: 24)
        else { return nil }
        self.sent = sent
        sequenceNumber = number
    }

    package func answer(received: StreamTime, now: StreamTime) -> [UInt8] {
        [0x80, 0xD3] + PacketBytes.bytes(sequenceNumber) + [0, 0, 0, 0] + PacketBytes.bytes(sent)
            + PacketBytes.bytes(received.ntp) + PacketBytes.bytes(now.ntp)
    }
}
