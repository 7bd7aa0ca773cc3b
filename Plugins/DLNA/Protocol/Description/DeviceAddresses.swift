package import Foundation

/// Resolves the addresses in a description and keeps them on the host that sent it.
package struct DeviceAddresses: Sendable, Hashable {
    package let location: URL
    private let base: URL

    /// Creates the addresses of a device.
    ///
    /// - Parameters:
    ///   - location: The URL of the description.
    ///   - base: The `URLBase` of the description. It is ignored if it names another host, because devices that moved
    ///     to a new address keep announcing the old one.
    /// - Throws: ``DLNAError/invalidAddress(_:)`` if `location` isn't an absolute `http` URL.
    package init(location: URL, base: String? = nil) throws(DLNAError) {
        guard Self.isUsable(location) else { throw .invalidAddress(location.absoluteString) }
        self.location = location
        self.base =
            base.flatMap { URL(string: $0) }.flatMap { Self.isUsable($0) && Self.sameHost($0, location) ? $0 : nil }
            ?? location
    }

    /// Returns the absolute URL of a reference; `nil` if it isn't valid or has another host.
    ///
    /// A description can't direct requests to another host.
    package func resolve(_ reference: String) -> URL? {
        let encoded = reference.trimmed.replacing(" ", with: "%20")
        guard !encoded.isEmpty, let url = URL(string: encoded, relativeTo: base)?.absoluteURL, Self.isUsable(url),
            Self.sameHost(url, location)
        else { return nil }
        return url
    }

    package static func sameHost(_ one: URL, _ other: URL) -> Bool {
        one.host()?.lowercased() == other.host()?.lowercased()
    }

    private static func isUsable(_ url: URL) -> Bool {
        url.scheme?.lowercased() == "http" && !(url.host() ?? "").isEmpty && url.user() == nil
            && (1...65_535).contains(url.port ?? 80)
    }
}
