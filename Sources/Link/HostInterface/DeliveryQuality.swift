/// How samples that are sent as they are heard arrive, counted from the beginning of what plays.
///
/// Of several devices together: what was lost by any of them.
package struct DeliveryQuality: Codable, Sendable, Hashable {
    package var packetsSent: Int
    /// Sent so long after their time that they may have been missed.
    package var packetsLate: Int
    /// Asked for again by the device.
    package var packetsLost: Int
    /// Of the lost those that were sent again.
    package var packetsResent: Int
    /// Times the samples did not come fast enough and it had to wait.
    package var stalls: Int
    /// Between sending and hearing, in seconds.
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

    /// With every number in its range.
    package var clamped: Self {
        Self(
            packetsSent: max(0, packetsSent), packetsLate: max(0, packetsLate), packetsLost: max(0, packetsLost),
            packetsResent: max(0, packetsResent), stalls: max(0, stalls),
            latency: latency.isFinite ? max(0, latency) : 0)
    }
}
