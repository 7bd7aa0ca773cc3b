/// The quality of a stream, counted from its beginning.
package struct StreamQuality: Sendable, Hashable, Codable {
    package var packetsSent = 0
    /// Sent more than ``lateness`` behind their time: the sender had no CPU or no samples.
    package var packetsLate = 0
    /// Packets that the receiver requested again; repeated requests count each time.
    package var packetsLost = 0
    package var packetsResent = 0
    /// Times the samples did not come fast enough and the stream had to wait.
    package var stalls = 0
    /// Between sending and playing, in seconds.
    package var latency: Double

    package static let lateness = 0.1

    package init(latency: Double) { self.latency = latency }

    /// Creates the quality of a stream with several receivers; `nil` for none.
    package init?(_ parts: some Collection<StreamQuality>) {
        guard let first = parts.first else { return nil }
        self = first
        packetsLost = parts.reduce(0) { $0 + $1.packetsLost }
        packetsResent = parts.reduce(0) { $0 + $1.packetsResent }
    }

    /// The number of packets that were requested but no longer stored.
    package var packetsMissing: Int { packetsLost - packetsResent }

    /// Returns a Boolean value that indicates whether a problem occurred since an earlier report.
    package func isWorse(than earlier: StreamQuality?) -> Bool {
        guard let earlier else { return true }
        return packetsLate > earlier.packetsLate || packetsLost > earlier.packetsLost || stalls > earlier.stalls
    }

    /// A Boolean value that indicates whether everything arrived in time, as far as the sender knows.
    package var isGood: Bool { packetsMissing == 0 && stalls == 0 && packetsLate == 0 }
}
