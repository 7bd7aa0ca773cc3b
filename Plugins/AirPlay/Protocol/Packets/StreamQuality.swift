/// How a stream went, counted from its beginning.
package struct StreamQuality: Sendable, Hashable, Codable {
    package var packetsSent = 0
    /// Sent more than ``lateness`` behind their time: the sender had no CPU or no samples.
    package var packetsLate = 0
    /// Asked for again by the receiver, each as often as it was.
    package var packetsLost = 0
    package var packetsResent = 0
    /// Times the samples did not come fast enough and the stream had to wait.
    package var stalls = 0
    /// Between sending and playing, in seconds.
    package var latency: Double

    package static let lateness = 0.1

    package init(latency: Double) { self.latency = latency }

    /// Of one stream for several receivers; `nil` without any.
    package init?(_ parts: some Collection<StreamQuality>) {
        guard let first = parts.first else { return nil }
        self = first
        packetsLost = parts.reduce(0) { $0 + $1.packetsLost }
        packetsResent = parts.reduce(0) { $0 + $1.packetsResent }
    }

    /// Asked for again, but not at hand any more.
    package var packetsMissing: Int { packetsLost - packetsResent }

    /// Whether something went wrong since.
    package func isWorse(than earlier: StreamQuality?) -> Bool {
        guard let earlier else { return true }
        return packetsLate > earlier.packetsLate || packetsLost > earlier.packetsLost || stalls > earlier.stalls
    }

    /// Whether everything was there in time, as far as this side can know.
    package var isGood: Bool { packetsMissing == 0 && stalls == 0 && packetsLate == 0 }
}
