/// A message as ``RTSPParser`` takes it out of a stream: a first line of its kind, headers, a body.
package protocol RTSPParsedMessage: Sendable {
    /// - Throws: ``AirPlayError/malformed(_:)`` for a first line of another kind.
    init(firstLine: String, headers: RTSPHeaders) throws(AirPlayError)

    var body: [UInt8] { get set }
    var headers: RTSPHeaders { get }
}

extension RTSPResponse: RTSPParsedMessage {
    package init(firstLine: String, headers: RTSPHeaders) throws(AirPlayError) {
        let parts = firstLine.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("RTSP/") || parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3,
            let status = Int(parts[1]), (100..<1000).contains(status)
        else { throw .malformed("“\(firstLine.prefix(80))” is no status line") }
        self.init(status: status, reason: parts.count == 3 ? String(parts[2]) : "", headers: headers)
    }
}

extension RTSPRequest: RTSPParsedMessage {
    package init(firstLine: String, headers: RTSPHeaders) throws(AirPlayError) {
        let parts = firstLine.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty,
            let version = parts[2].hasPrefix("HTTP/") ? Version.http : parts[2].hasPrefix("RTSP/") ? .rtsp : nil
        else { throw .malformed("“\(firstLine.prefix(80))” is no request line") }
        self.init(String(parts[0]), String(parts[1]), version: version, headers: headers)
    }
}
