/// Transport Layer Security.
public final class NWProtocolTLS: NWProtocol {
    /// The definition of TLS.
    public static let definition = NWProtocolDefinition("tls")

    /// The options of TLS, in ``securityProtocolOptions``.
    public final class Options: NWProtocolOptions, @unchecked Sendable {
        /// The options, for the `sec_protocol_options_…` functions.
        public let securityProtocolOptions = sec_protocol_options_t()

        /// Creates options that verify the peer with the system's certificates.
        public override init() { super.init() }
    }

    /// The metadata of a TLS handshake, in ``securityProtocolMetadata``.
    public final class Metadata: NWProtocolMetadata, @unchecked Sendable {
        /// The metadata, for the `sec_protocol_metadata_…` functions.
        public let securityProtocolMetadata: sec_protocol_metadata_t

        package init(_ metadata: sec_protocol_metadata_t) {
            securityProtocolMetadata = metadata
            super.init(NWProtocolTLS.definition)
        }
    }
}
