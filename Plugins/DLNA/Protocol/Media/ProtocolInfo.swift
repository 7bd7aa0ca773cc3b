/// The transport and format of a resource: `http-get:*:audio/mpeg:DLNA.ORG_OP=01`.
package struct ProtocolInfo: Sendable, Hashable {
    /// Lower case: `http-get`, `rtsp-rtp-udp`, `*`.
    package var transport: String
    package var network: String
    /// MIME type, possibly with parameters, as written; `*` for any.
    package var contentFormat: String
    /// `DLNA.ORG_…` parameters or `*`.
    package var additionalInfo: String

    package init(transport: String, network: String = "*", contentFormat: String, additionalInfo: String = "*") {
        self.transport = transport
        self.network = network
        self.contentFormat = contentFormat
        self.additionalInfo = additionalInfo
    }

    /// `nil` with fewer than four fields or an empty format.
    ///
    /// - Source: ConnectionManager:2, section 2.5.2.
    package init?(_ text: some StringProtocol) {
        let fields = text.trimmed.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard fields.count == 4, !fields[0].isEmpty, !fields[2].isEmpty else { return nil }
        self.init(
            transport: fields[0].lowercased(), network: String(fields[1]), contentFormat: String(fields[2]),
            additionalInfo: String(fields[3]))
    }
}

extension ProtocolInfo: CustomStringConvertible {
    package var description: String { "\(transport):\(network):\(contentFormat):\(additionalInfo)" }
}

extension ProtocolInfo {
    /// Returns the protocol information of a file that is served over HTTP.
    ///
    /// - Parameters:
    ///   - mimeType: The exact `Content-Type` of the server's answer. Renderers refuse media if it differs.
    ///   - acceptsRanges: `true` if the server supports byte ranges.
    /// - Source: DLNA Guidelines part 1, 7.4.1.3: `OP` has the supported seeks, `CI` says that nothing is transcoded,
    ///   `FLAGS` has the transfer modes (bit 24 streaming, 23 interactive, 22 background, 21 stalling, 20 version 1.5).
    package static func served(mimeType: String, acceptsRanges: Bool) -> ProtocolInfo {
        let operations = acceptsRanges ? "01" : "00"
        let flags = mimeType.hasPrefix("image/") ? "00D00000" : "01700000"
        let reserved = String(repeating: "0", count: 24)
        return ProtocolInfo(
            transport: "http-get", contentFormat: mimeType,
            additionalInfo: "DLNA.ORG_OP=\(operations);DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(flags)\(reserved)")
    }
}
