/// The Transmission Control Protocol.
public final class NWProtocolTCP: NWProtocol {
    /// The definition of TCP.
    public static let definition = NWProtocolDefinition("tcp")

    /// Settings of TCP. Those left at 0 are the system's.
    public final class Options: NWProtocolOptions, @unchecked Sendable {
        private struct Values {
            var noDelay = false
            var enableKeepalive = false
            var keepaliveIdle = 0
            var keepaliveInterval = 0
            var keepaliveCount = 0
            var maximumSegmentSize = 0
            var connectionTimeout = 0
            var connectionDropTime = 0
        }
        private let storage = Locked(Values())

        /// Makes the default settings.
        public override init() { super.init() }

        /// Whether small packets are sent at once, without Nagle's algorithm.
        public var noDelay: Bool {
            get { storage.read { $0.noDelay } }
            set { storage.write { $0.noDelay = newValue } }
        }
        /// Whether an idle connection is probed.
        public var enableKeepalive: Bool {
            get { storage.read { $0.enableKeepalive } }
            set { storage.write { $0.enableKeepalive = newValue } }
        }
        /// Seconds without traffic before the first probe.
        public var keepaliveIdle: Int {
            get { storage.read { $0.keepaliveIdle } }
            set { storage.write { $0.keepaliveIdle = newValue } }
        }
        /// Seconds between probes.
        public var keepaliveInterval: Int {
            get { storage.read { $0.keepaliveInterval } }
            set { storage.write { $0.keepaliveInterval = newValue } }
        }
        /// The number of unanswered probes after which the connection fails.
        public var keepaliveCount: Int {
            get { storage.read { $0.keepaliveCount } }
            set { storage.write { $0.keepaliveCount = newValue } }
        }
        /// The largest segment to send, in bytes.
        public var maximumSegmentSize: Int {
            get { storage.read { $0.maximumSegmentSize } }
            set { storage.write { $0.maximumSegmentSize = newValue } }
        }
        /// Seconds an attempt may take, with the name looked up and TLS agreed; 0 for 75 seconds. After it the connection
        /// waits with `ETIMEDOUT`.
        public var connectionTimeout: Int {
            get { storage.read { $0.connectionTimeout } }
            set { storage.write { $0.connectionTimeout = newValue } }
        }
        /// Seconds that sent data may stay unacknowledged before the connection fails.
        public var connectionDropTime: Int {
            get { storage.read { $0.connectionDropTime } }
            set { storage.write { $0.connectionDropTime = newValue } }
        }
    }
}
