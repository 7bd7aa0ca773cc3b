import HTTPTypes

/// The answer to a request for a served file, without its bytes; a value, so that every rule is testable without a
/// socket.
struct FileAnswer: Sendable, Hashable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    /// The byte range of the file to send after the headers; `nil` for none.
    var body: Range<Int64>?

    /// The response to an unknown path, a peer without access and a withdrawn file. These are indistinguishable, so
    /// that it doesn't reveal which files exist.
    static let notFound = FileAnswer(status: .notFound, headers: [.contentLength: "0"], body: nil)

    /// - Parameters:
    ///   - contentType: MIME type of the file.
    ///   - facts: Of the file at this moment.
    init(to request: HTTPRequest, contentType: String, facts: OpenedFile.Facts) {
        guard request.method != .options else {
            self.init(status: .noContent, headers: .scriptPermission, body: nil)
            return
        }
        guard request.method == .get || request.method == .head else {
            self.init(status: .methodNotAllowed, headers: [.allow: "GET, HEAD", .contentLength: "0"], body: nil)
            return
        }
        let fields = request.headerFields
        // DLNA guidelines 7.5.4.3.2.9: any other value is an error.
        guard fields[.getContentFeatures] ?? "1" == "1" else {
            self.init(status: .badRequest, headers: [.contentLength: "0"], body: nil)
            return
        }
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .contentType: contentType, .eTag: facts.tag,
            .lastModified: HTTPDate.string(facts.modified),
        ]
        headers.allowScripts()
        if fields[.getContentFeatures] != nil {
            headers[.contentFeatures] = Self.features(contentType)
        }
        if let mode = fields[.transferMode] {
            headers[.transferMode] = Self.transferModes.first { $0.lowercased() == mode.lowercased() } ?? "Streaming"
        }
        if let known = fields[.ifNoneMatch], known == "*" || known.contains(facts.tag) {
            self.init(status: .notModified, headers: headers, body: nil)
            return
        }
        let condition = fields[.ifRange]
        let isSame = condition == nil || condition == facts.tag || condition == headers[.lastModified]
        switch ByteRange(header: isSame ? fields[.range] : nil, size: facts.size) {
        case .whole:
            headers[.contentLength] = "\(facts.size)"
            self.init(status: .ok, headers: headers, body: 0..<facts.size)
        case .part(let range):
            headers[.contentLength] = "\(range.count)"
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(facts.size)"
            self.init(status: .partialContent, headers: headers, body: range.lowerBound..<(range.upperBound + 1))
        case .unsatisfiable:
            headers[.contentLength] = "0"
            headers[.contentRange] = "bytes */\(facts.size)"
            self.init(status: .rangeNotSatisfiable, headers: headers, body: nil)
        }
        if request.method == .head { body = nil }
    }

    private init(status: HTTPResponse.Status, headers: HTTPFields, body: Range<Int64>?) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    private static let transferModes = ["Streaming", "Interactive", "Background"]

    /// Byte seeking, no conversion; flags of DLNA 1.5 with streaming or interactive and background transfer.
    private static func features(_ contentType: String) -> String {
        let flags = contentType.hasPrefix("image/") ? "00F00000" : "01700000"
        return "DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(flags)" + String(repeating: "0", count: 24)
    }
}

extension HTTPFields {
    /// Lets a receiver that is a web page (Google Cast) read the media by script, as it does for playlists and subtitles.
    /// This grants no access: only the device may connect, and only to an address that nobody can guess.
    mutating func allowScripts() {
        self[.accessControlAllowOrigin] = "*"
        self[.accessControlExposeHeaders] = "Accept-Ranges, Content-Length, Content-Range"
    }

    /// The answer to the question that a browser asks before a script's request for a range.
    static let scriptPermission: HTTPFields = [
        .allow: "GET, HEAD, OPTIONS", .accessControlAllowOrigin: "*", .accessControlAllowMethods: "GET, HEAD",
        .accessControlAllowHeaders: "Range", .accessControlMaxAge: "600",
    ]
}

extension HTTPField.Name {
    // Literals of the grammar's token characters are always names.
    static let getContentFeatures = HTTPField.Name("getcontentFeatures.dlna.org")!
    static let contentFeatures = HTTPField.Name("contentFeatures.dlna.org")!
    static let transferMode = HTTPField.Name("transferMode.dlna.org")!
}
