import Foundation
import HostInterface

/// The rules for extensions by their manifest, without I/O.
enum DeclarationRules {
    /// Returns the refusal of a browse.
    ///
    /// - Parameter status: The extension; `nil` if it is no longer installed, which refuses nothing.
    /// - Returns: ``HostError`` `not-supported` with the manifest key to add; `nil` if the browse is allowed.
    static func refusal(of request: BrowseRequest, status: ExtensionStatus?) -> HostError? {
        guard let status else { return nil }
        let (key, types) =
            switch request.kind {
            case .bonjour: ("NSBonjourServices", status.bonjourServices)
            case .ssdp: ("MDHostSSDPSearchTargets", status.ssdpSearchTargets)
            }
        let type = request.type.hasSuffix(".") ? String(request.type.dropLast()) : request.type
        guard !types.contains(where: { $0.lowercased() == type.lowercased() }) else { return nil }
        return HostError(
            .notSupported, "\(status.name) isn't allowed to browse for \(type). Add it to \(key) in its Info.plist.")
    }

    /// Returns the refusal of a URL for a session. The local network is always allowed, and any URL if the manifest has
    /// no domains.
    ///
    /// - Returns: ``HostError`` `not-supported` with the manifest key to add; `nil` if the URL is allowed.
    static func refusal(ofAddress address: String, status: ExtensionStatus?) -> HostError? {
        guard let status, !status.requestedDomains.isEmpty, let url = URL(string: address),
            let host = url.host(percentEncoded: false), !isLocal(host)
        else { return nil }
        guard !status.requestedDomains.contains(where: { allows($0, url, host) }) else { return nil }
        return HostError(
            .notSupported,
            "\(status.name) may not be given addresses at \(host): add it to MDRequestedDomains in its Info.plist.")
    }

    /// Returns a Boolean value that indicates whether a declaration permits a URL. An origin matches by scheme, host
    /// and port; a host matches itself and its subdomains.
    private static func allows(_ domain: String, _ url: URL, _ host: String) -> Bool {
        let host = host.lowercased()
        if let origin = URL(string: domain), let scheme = origin.scheme, let name = origin.host(percentEncoded: false) {
            return scheme.lowercased() == url.scheme?.lowercased() && name.lowercased() == host
                && port(origin) == port(url)
        }
        let name = domain.lowercased()
        return host == name || host.hasSuffix("." + name)
    }

    private static func port(_ url: URL) -> Int? {
        url.port ?? ["http": 80, "https": 443, "rtsp": 554][url.scheme?.lowercased() ?? ""]
    }

    /// Returns a Boolean value that indicates whether a host is local: a name without a dot or in `local`, or an
    /// address of a private network, one link or this computer.
    private static func isLocal(_ host: String) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: ["[", "]", "."])
        if host.contains(":") {
            return host == "::1" || ["fe8", "fe9", "fea", "feb", "fc", "fd"].contains { host.hasPrefix($0) }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        if parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil, parts[3] != nil {
            return switch (first, second) {
            case (10, _), (127, _), (192, 168), (169, 254), (172, 16...31): true
            default: false
            }
        }
        return !host.contains(".") || host.hasSuffix(".local") || host.hasSuffix(".home.arpa")
    }
}
