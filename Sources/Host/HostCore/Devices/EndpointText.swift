import Foundation

/// Reads the textual endpoints of a device description.
package enum EndpointText {
    /// Returns the numeric address and the port in such a text or URL; `nil` for names, and without a port.
    package static func place(_ text: String) -> (address: String, port: Int)? {
        guard let address = numericAddress(text) else { return nil }
        if text.contains("://") {
            guard let url = URL(string: text) else { return nil }
            return (address, url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80))
        }
        let rest = text.hasPrefix("[") ? text[(text.lastIndex(of: "]") ?? text.startIndex)...] : text[...]
        guard let colon = rest.lastIndex(of: ":"), let port = Int(rest[rest.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        return (address, port)
    }

    /// Returns the numeric address in `10.0.0.5:80`, `[fe80::1%eth0]:80` or a URL with a numeric host; `nil` for names.
    package static func numericAddress(_ text: String) -> String? {
        if text.contains("://") {
            guard let host = URL(string: text)?.host() else { return nil }
            return numeric(host.trimmingCharacters(in: ["[", "]"]).replacing("%25", with: "%"))
        }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return numeric(String(text[text.index(after: text.startIndex)..<end]))
        }
        guard let colon = text.lastIndex(of: ":") else { return numeric(text) }
        return numeric(String(text[..<colon]))
    }

    private static func numeric(_ host: String) -> String? {
        var four = in_addr()
        var six = in6_addr()
        let bare = host.split(separator: "%", maxSplits: 1).first.map(String.init) ?? host
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, bare, &six) == 1 ? host : nil
    }
}

/// The location of a device: the numeric address and the port of an endpoint.
struct DevicePlace: Hashable {
    let address: String
    let port: Int

    /// `nil` if ``EndpointText/place(_:)`` can't read the endpoint.
    init?(_ endpoint: String) {
        guard let place = EndpointText.place(endpoint) else { return nil }
        (address, port) = place
    }
}
