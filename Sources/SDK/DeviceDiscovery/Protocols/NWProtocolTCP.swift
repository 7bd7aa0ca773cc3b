/// The Transmission Control Protocol.
public final class NWProtocolTCP: NWProtocol {
    /// The definition of TCP.
    public static let definition = NWProtocolDefinition("tcp")

    /// The options of TCP. Numbers of 0 mean the system's default.
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

        /// Creates the default options.
        public override init() { super.init() }

        /// A Boolean value that disables Nagle's algorithm, so that small packets are sent at once.
        public var noDelay: Bool {
            get { storage.read { $0.noDelay } }
            set { storage.write { $0.noDelay = newValue } }
        }
        /// A Boolean value that enables keepalive probes of an idle connection.
        public var enableKeepalive: Bool {
            get { storage.read { $0.enableKeepalive } }
            set { storage.write { $0.enableKeepalive = newValue } }
        }
        /// The time without traffic before the first probe, in seconds.
        public var keepaliveIdle: Int {
            get { storage.read { $0.keepaliveIdle } }
            set { storage.write { $0.keepaliveIdle = newValue } }
        }
        /// The time between probes, in seconds.
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
        /// The time limit of an attempt in seconds, including name resolution and TLS; 0 for 75 seconds. After it the
        /// connection is waiting with `ETIMEDOUT`.
        public var connectionTimeout: Int {
            get { storage.read { $0.connectionTimeout } }
            set { storage.write { $0.connectionTimeout = newValue } }
        }
        /// The time in seconds for which sent data may stay unacknowledged before the connection fails.
        public var connectionDropTime: Int {
            get { storage.read { $0.connectionDropTime } }
            set { storage.write { $0.connectionDropTime = newValue } }
        }
    }
}
