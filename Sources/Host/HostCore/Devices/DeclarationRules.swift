import Foundation
import HostInterface

/// What an extension may do by its manifest: rules without I/O.
enum DeclarationRules {
    /// - Parameter status: `nil` for an extension that is not installed any more; nothing is refused it.
    /// - Returns: ``HostError`` `not-supported` that names the key to add; `nil` where the extension may look for it.
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
            .notSupported, "\(status.name) may not look for \(type): add it to \(key) in its Info.plist.")
    }

    /// Whether a session may be handed the address. The local network is always allowed, and so is any address where the
    /// manifest names no domain.
    ///
    /// - Returns: ``HostError`` `not-supported` that names the key to add; `nil` where it may.
    static func refusal(ofAddress address: String, status: ExtensionStatus?) -> HostError? {
        guard let status, !status.requestedDomains.isEmpty, let url = URL(string: address),
            let host = url.host(percentEncoded: false), !isLocal(host)
        else { return nil }
        guard !status.requestedDomains.contains(where: { allows($0, url, host) }) else { return nil }
        return HostError(
            .notSupported,
            "\(status.name) may not be given addresses at \(host): add it to MDRequestedDomains in its Info.plist.")
    }

    /// An origin fits by scheme, host and port; a host also with everything below it.
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

    /// Names without a dot and below `local`, and addresses of private networks, of one link and of this machine.
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
