package import HostInterface

/// The quality of a realtime delivery, counted from its beginning. Available on Linux only.
public struct RealtimeQuality: Sendable, Hashable {
    /// The number of packets sent.
    public var packetsSent: Int
    /// The number of packets sent too late to be played for certain.
    public var packetsLate: Int
    /// The number of packets that the device requested again.
    public var packetsLost: Int
    /// The number of lost packets that were sent again.
    public var packetsResent: Int
    /// The number of times the delivery waited for samples.
    public var stalls: Int
    /// The time between sending and hearing, in seconds.
    public var latency: Double

    /// Creates a report.
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
