/// Header fields in their order; names are compared without regard to case.
package struct RTSPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package private(set) var fields: [(name: String, value: String)] = []

    package init(dictionaryLiteral elements: (String, String)...) { fields = elements.map { ($0, $1) } }

    /// The first value of a field. Setting replaces all values, `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    package mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    package static func == (left: Self, right: Self) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name)
            hasher.combine(field.value)
        }
    }

    /// A line for each.
    fileprivate var encoded: String {
        fields.map { "\($0.name.asOneLine): \($0.value.asOneLine)\r\n" }.joined()
    }

    private static func isSame(_ left: String, _ right: String) -> Bool { left.lowercased() == right.lowercased() }
}

package struct RTSPRequest: Sendable, Hashable {
    /// The protocol of a message. Receivers accept both on one port: RTSP for audio and pairing, HTTP for video.
    package enum Version: String, Sendable, Hashable { case rtsp = "RTSP/1.0", http = "HTTP/1.1" }

    package var version: Version
    package var method: String
    /// An absolute `rtsp:` address, a path or `*`.
    package var uri: String
    package var headers: RTSPHeaders
    package var body: [UInt8]

    package init(
        _ method: String, _ uri: String, version: Version = .rtsp, headers: RTSPHeaders = [:], body: [UInt8] = []
    ) {
        self.version = version
        self.method = method
        self.uri = uri
        self.headers = headers
        self.body = body
    }

    /// The request on the wire, with the length of its body. Line breaks in values become spaces, so that a title can't
    /// add a header field.
    package var encoded: [UInt8] {
        var text = "\(method.asOneLine) \(uri.asOneLine) \(version.rawValue)\r\n" + headers.encoded
        if !body.isEmpty || version == .http && method == "POST" { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + body
    }
}

package struct RTSPResponse: Sendable, Hashable {
    package var status: Int
    package var reason: String
    package var headers: RTSPHeaders
    package var body: [UInt8]

    package init(status: Int, reason: String = "", headers: RTSPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The number of the request; `nil` if the answer has none.
    package var sequenceNumber: Int? { headers["CSeq"].flatMap { Int($0) } }

    /// Returns the answer on the wire, always with the length of its body.
    package func encoded(as version: RTSPRequest.Version) -> [UInt8] {
        let head = "\(version.rawValue) \(status) \(reason.asOneLine)\r\n" + headers.encoded
        return Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
    }
}

/// The accepted sizes of messages from a receiver.
package struct RTSPLimits: Sendable, Hashable {
    /// Bytes of the first line and all headers.
    package var head = 16 * 1024
    package var body = 4 * 1024 * 1024

    package init() {}
}

extension String {
    /// Line breaks as spaces.
    fileprivate var asOneLine: String {
        String(unicodeScalars.map { $0 == "\r" || $0 == "\n" ? " " : Character($0) })
    }
}
