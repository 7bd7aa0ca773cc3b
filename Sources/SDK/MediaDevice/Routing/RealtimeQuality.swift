import HostInterface

/// How a realtime delivery goes, counted from its beginning. Only on Linux.
public struct RealtimeQuality: Sendable, Hashable {
    public var packetsSent: Int
    /// Sent so long after their time that they may have been missed.
    public var packetsLate: Int
    /// Asked for again by the device.
    public var packetsLost: Int
    /// Of the lost those that were sent again.
    public var packetsResent: Int
    /// Times the samples did not come fast enough and the delivery had to wait.
    public var stalls: Int
    /// Between sending and hearing, in seconds.
    public var latency: Double

    public init(
        packetsSent: Int, packetsLate: Int, packetsLost: Int, packetsResent: Int, stalls: Int, latency: Double
    ) {
        self.packetsSent = packetsSent
        self.packetsLate = packetsLate
        self.packetsLost = packetsLost
        self.packetsResent = packetsResent
        self.stalls = stalls
        self.latency = latency
    }

    package init(_ quality: DeliveryQuality) {
        self.init(
            packetsSent: quality.packetsSent, packetsLate: quality.packetsLate, packetsLost: quality.packetsLost,
            packetsResent: quality.packetsResent, stalls: quality.stalls, latency: quality.latency)
    }

    package var onLink: DeliveryQuality {
        DeliveryQuality(
            packetsSent: packetsSent, packetsLate: packetsLate, packetsLost: packetsLost, packetsResent: packetsResent,
            stalls: stalls, latency: latency)
    }
}
