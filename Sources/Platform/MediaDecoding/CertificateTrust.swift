import CFFmpeg
import Glibc

/// The trusted HTTPS servers: those with a certificate that the system trusts, and those listed here.
package struct CertificateTrust: Sendable, Hashable {
    /// Servers with any certificate, as `host:port` in lower case.
    package var exempt: Set<String>
    /// PEM file of the authorities; `nil` for the built-in ones of FFmpeg's TLS library.
    package var authorities: String?

    package init(exempt: Set<String> = [], authorities: String? = Self.systemAuthorities) {
        self.exempt = exempt
        self.authorities = authorities
    }

    /// The path of the system's authorities on Debian and Arch, Fedora, Alpine, or openSUSE.
    package static let systemAuthorities: String? = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        "/etc/ssl/ca-bundle.pem",
    ].first { access($0, R_OK) == 0 }

    /// The server that an `https` URL names, as `host:port` in lower case; `nil` for other addresses.
    package static func server(of address: String) -> String? {
        let lower = address.lowercased()
        guard lower.hasPrefix("https://") else { return nil }
        let authority = lower.dropFirst(8).prefix { !"/?#\\".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority[...]
        guard !place.isEmpty else { return nil }
        let port = place.hasPrefix("[") ? place.drop { $0 != "]" }.dropFirst() : place.drop { $0 != ":" }
        return port.isEmpty ? "\(place):443" : String(place)
    }

    func options(for address: String, _ options: UnsafeMutablePointer<OpaquePointer?>?) {
        let isExempt = Self.server(of: address).map(exempt.contains) ?? false
        av_dict_set(options, "tls_verify", isExempt ? "0" : "1", 0)
        if let authorities { av_dict_set(options, "ca_file", authorities, 0) }
    }

    /// Returns whether the server accepts TLS if its certificate is ignored, which means that the certificate caused
    /// the failure. Sends no request.
    static func answersWithAnyCertificate(_ server: String) -> Bool {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "tls_verify", "0", 0)
        av_dict_set(&options, "protocol_whitelist", "tls,tcp", 0)
        av_dict_set(&options, "rw_timeout", "5000000", 0)
        var input: UnsafeMutablePointer<AVIOContext>?
        defer { avio_closep(&input) }
        return avio_open2(&input, "tls://\(server)", AVIO_FLAG_READ, nil, &options) >= 0
    }
}
