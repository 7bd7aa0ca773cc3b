/// The quality of a realtime delivery of samples, counted from its beginning.
///
/// For several devices it includes the losses of all of them.
package struct DeliveryQuality: Codable, Sendable, Hashable {
    package var packetsSent: Int
    /// The number of packets sent too late to be played for certain.
    package var packetsLate: Int
    /// The number of packets that the device requested again.
    package var packetsLost: Int
    /// The number of lost packets that were sent again.
    package var packetsResent: Int
    /// The number of times the delivery waited for samples.
    package var stalls: Int
    /// The time between sending and hearing, in seconds.
    package var latency: Double

    package init(
        packetsSent: Int = 0, packetsLate: Int = 0, packetsLost: Int = 0, packetsResent: Int = 0, stalls: Int = 0,
        latency: Double = 0
    ) {
        self.packetsSent = packetsSent
        self.packetsLate = packetsLate
        self.packetsLost = packetsLost
        self.packetsResent = packetsResent
        self.stalls = stalls
        self.latency = latency
    }

    /// The same quality with every number in its range.
    package var clamped: Self {
        Self(
            packetsSent: max(0, packetsSent), packetsLate: max(0, packetsLate), packetsLost: max(0, packetsLost),
            packetsResent: max(0, packetsResent), stalls: max(0, stalls),
            latency: latency.isFinite ? max(0, latency) : 0)
    }
}
