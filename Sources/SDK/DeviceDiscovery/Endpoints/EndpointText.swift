import Foundation

/// The text form of endpoints, which crosses the link to the host.
///
/// `10.0.0.5:8060` · `[fe80::1%eth0]:80` · `name._type._tcp.local.` · `/path` · `scheme://…`. In an instance name, a
/// backslash escapes dots and backslashes (RFC 6763 §4.3). The text of a service omits its interface.
extension NWEndpoint {
    /// The longest accepted text in bytes.
    private static let greatestLength = 4_096

    /// The endpoint on one line.
    package var text: String {
        switch self {
        case .hostPort(.ipv6(let address), let port): "[\(address.debugDescription)]:\(port.rawValue)"
        case .hostPort(let host, let port): "\(host.debugDescription):\(port.rawValue)"
        case .service(let name, let type, let domain, _):
            "\(Self.escaped(name)).\(Self.undotted(type)).\(domain.isEmpty ? "local" : Self.undotted(domain))."
        case .unix(let path): path
        case .url(let url): url.absoluteString
        }
    }

    /// Parses an endpoint; `nil` for other text. The domain of a service gets its final dot.
    package init?(text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.greatestLength, !text.utf8.contains(0) else { return nil }
        if let service = Self.service(text) {
            self = service
        } else if text.hasPrefix("/") {
            self = .unix(path: text)
        } else if text.contains("://") {
            guard let url = URL(string: text), url.scheme?.isEmpty == false else { return nil }
            self = .url(url)
        } else if let hostPort = Self.hostPort(text) {
            self = hostPort
        } else {
            return nil
        }
    }

    private static func hostPort(_ text: String) -> NWEndpoint? {
        guard let colon = text.lastIndex(of: ":"), let port = Port(String(text[text.index(after: colon)...])) else {
            return nil
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard let address = IPv6Address(String(host.dropFirst().dropLast())) else { return nil }
            return .hostPort(host: .ipv6(address), port: port)
        }
        let isPossible = !host.isEmpty && !host.contains { $0 == ":" || $0 == "/" || $0 == "[" || $0.isWhitespace }
        return isPossible ? .hostPort(host: Host(String(host)), port: port) : nil
    }

    private static func service(_ text: String) -> NWEndpoint? {
        var labels = labels(of: text)
        guard labels.count >= 4, labels.removeLast().isEmpty else { return nil }
        // The last type counts: an unescaped instance name may look like one, a domain does not.
        let found = labels.indices.dropLast().last { index in
            index > 0 && isServiceType(labels[index], transport: labels[index + 1])
        }
        guard let found, found + 2 < labels.count else { return nil }
        let name = labels[..<found].map(unescaped).joined(separator: ".")
        guard !name.isEmpty else { return nil }
        return .service(
            name: name, type: "\(labels[found]).\(labels[found + 1])",
            domain: labels[(found + 2)...].joined(separator: ".") + ".", interface: nil)
    }

    /// Returns a Boolean value that indicates whether two labels are a service type, such as `_http` and `_tcp` (RFC
    /// 6763 §7).
    static func isServiceType(_ name: some StringProtocol, transport: some StringProtocol) -> Bool {
        guard transport == "_tcp" || transport == "_udp", name.hasPrefix("_"), name.utf8.count > 1 else { return false }
        return name.dropFirst().utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// Splits text at dots without a backslash before them. The parts are still escaped.
    private static func labels(of text: String) -> [Substring] {
        var labels: [Substring] = []
        var start = text.startIndex
        var isEscaped = false
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if text[index] == "\\" {
                isEscaped = true
            } else if text[index] == "." {
                labels.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return labels + [text[start...]]
    }

    private static func escaped(_ name: String) -> String {
        name.replacing("\\", with: "\\\\").replacing(".", with: "\\.")
    }

    private static func unescaped(_ label: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in label {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }

    private static func undotted(_ name: String) -> Substring {
        name.hasSuffix(".") ? name.dropLast() : name[...]
    }
}
