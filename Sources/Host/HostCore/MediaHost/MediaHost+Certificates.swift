import Foundation
package import HostInterface

/// Servers at home often have a certificate that they made themselves: a person may accept it, server by server.
extension MediaHost {
    private static let exceptionLimit = 256

    /// Accepts any certificate of a media server from now on, or no longer.
    ///
    /// - Parameter text: Its address, or host and port; without a port 443 is meant.
    /// - Returns: Host and port as they are stored.
    /// - Throws: ``HostError`` `invalid-argument`, or `storage-failed`.
    @discardableResult
    package func acceptCertificate(of text: String, _ isAccepted: Bool) async throws(HostError) -> String {
        guard let server = MediaServer(text) else {
            throw HostError(.invalidArgument, "“\(text)” isn't an HTTPS address, or a host with a port.")
        }
        var exceptions = certificateExceptions
        if isAccepted {
            exceptions.insert(server.name)
        } else if exceptions.remove(server.name) == nil {
            throw HostError(.invalidArgument, "No certificate of \(server.name) was accepted.")
        }
        guard exceptions.count <= Self.exceptionLimit else {
            throw HostError(.limitExceeded, "Certificates of \(Self.exceptionLimit) servers are accepted already.")
        }
        do {
            try await store.setCertificateExceptions(exceptions)
        } catch {
            throw HostError(.storageFailed, "Couldn't store the decision: \(error)")
        }
        certificateExceptions = exceptions
        return server.name
    }

    /// Returns the information with the person's decision about the server of the address.
    func media(_ media: MediaInformation, at address: String) -> MediaInformation {
        guard address.lowercased().hasPrefix("https://"), let server = MediaServer(address),
            certificateExceptions.contains(server.name)
        else { return media }
        var media = media
        media.acceptsAnyCertificate = true
        return media
    }
}

/// An HTTPS server as people name it.
package struct MediaServer: Sendable, Hashable {
    /// `host:port` in lower case; an IPv6 address in brackets.
    package let name: String

    /// - Parameter text: `https://nas.local/song.mp3`, `nas.local`, `nas.local:8443`, `[fd00::1]:443`; `nil` for others.
    package init?(_ text: String) {
        let lower = text.lowercased()
        guard let parts = URLComponents(string: lower.contains("://") ? lower : "https://\(lower)"),
            parts.scheme == "https", let host = parts.host, !host.isEmpty, host.utf8.count <= 255
        else { return nil }
        let port = parts.port ?? 443
        guard (1...65_535).contains(port) else { return nil }
        let bare = host.trimmingCharacters(in: ["[", "]"])
        name = bare.contains(":") ? "[\(bare)]:\(port)" : "\(bare):\(port)"
    }
}
