import Foundation
package import HostInterface

/// An address of a device that a person enters.
package struct ManualAddress: Codable, Sendable, Hashable {
    /// A name or a numeric address, link-local IPv6 with its scope.
    package var host: String
    /// `nil`: wherever its host says.
    package var port: Int?
    /// Identifier or name of the protocol; `nil` for any protocol of an extension.
    package var protocolName: String?

    package init(host: String, port: Int? = nil, protocolName: String? = nil) {
        self.host = host
        self.port = port
        self.protocolName = protocolName
    }

    /// Reads `HOST`, `HOST:PORT`, `[IPV6]:PORT` or a URL, of which host and port count.
    ///
    /// - Throws: ``HostError`` `invalid-argument`.
    package init(_ text: String, protocolName: String? = nil) throws(HostError) {
        var rest = text[...]
        var assumed: Int?
        if let scheme = rest.range(of: "://") {
            assumed = rest.hasPrefix("https") ? 443 : 80
            rest = rest[scheme.upperBound...].prefix { !"/?#".contains($0) }
        }
        let host: Substring
        var port: Substring?
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            let after = rest[rest.index(after: end)...]
            port = after.hasPrefix(":") ? after.dropFirst() : nil
            if port == nil, !after.isEmpty { throw Self.unreadable(text) }
        } else if rest.count(where: { $0 == ":" }) == 1, let colon = rest.firstIndex(of: ":") {
            host = rest[..<colon]
            port = rest[rest.index(after: colon)...]
        } else {
            host = rest
        }
        let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"/@,;\"'\\".utf8.contains($0) }
        guard !host.isEmpty, host.utf8.count <= 255, isName else { throw Self.unreadable(text) }
        if let port {
            guard let number = Int(port), (1...65_535).contains(number), port.allSatisfy(\.isNumber) else {
                throw HostError(.invalidArgument, "“\(port)” isn't a port; ports are numbers from 1 to 65535.")
            }
            assumed = number
        }
        self.init(host: String(host), port: assumed, protocolName: protocolName)
    }

    private static func unreadable(_ text: String) -> HostError {
        HostError(.invalidArgument, "“\(text)” isn't an address. Give HOST, HOST:PORT or [IPV6]:PORT.")
    }

    /// `HOST` or `HOST:PORT`.
    package var text: String {
        guard let port else { return host }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// A kind of announcement that an extension declares.
package struct DeclaredKind: Sendable, Hashable {
    package let kind: BrowseRequest.Kind
    /// `_mpd._tcp`, or a search target.
    package let type: String
    package init(kind: BrowseRequest.Kind, type: String) {
        self.kind = kind
        self.type = type
    }
}

/// A device that a person added, with its address and the announcements found there.
package struct ManualDevice: Codable, Sendable, Hashable {
    package struct Finding: Codable, Sendable, Hashable {
        package var kind: BrowseRequest.Kind
        package var type: String
        package var item: BrowseItem
        package init(kind: BrowseRequest.Kind, type: String, item: BrowseItem) {
            self.kind = kind
            self.type = type
            self.item = item
        }
    }

    package var address: ManualAddress
    package var findings: [Finding]

    package init(address: ManualAddress, findings: [Finding]) {
        self.address = address
        self.findings = findings
    }

    /// Returns a Boolean value that indicates whether one of a device's endpoints matches an announcement.
    func has(_ endpoints: [String]) -> Bool {
        endpoints.contains { endpoint in
            guard let place = EndpointText.place(endpoint) else { return false }
            return findings.contains { $0.item.port == place.port && $0.item.addresses.contains(place.address) }
        }
    }
}
