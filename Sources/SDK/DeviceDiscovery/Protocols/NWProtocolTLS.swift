/// Transport Layer Security.
public final class NWProtocolTLS: NWProtocol {
    /// The definition of TLS.
    public static let definition = NWProtocolDefinition("tls")

    /// Settings of TLS, in ``securityProtocolOptions``.
    public final class Options: NWProtocolOptions, @unchecked Sendable {
        /// The settings, for the functions `sec_protocol_options_…`.
        public let securityProtocolOptions = sec_protocol_options_t()

        /// Makes settings that verify the peer by the system's certificates.
        public override init() { super.init() }
    }

    /// The outcome of a TLS handshake, in ``securityProtocolMetadata``.
    public final class Metadata: NWProtocolMetadata, @unchecked Sendable {
        /// The outcome, for the functions `sec_protocol_metadata_…`.
        public let securityProtocolMetadata: sec_protocol_metadata_t

        package init(_ metadata: sec_protocol_metadata_t) {
            securityProtocolMetadata = metadata
            super.init(NWProtocolTLS.definition)
        }
    }
}
