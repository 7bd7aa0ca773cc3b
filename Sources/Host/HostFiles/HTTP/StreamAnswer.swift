import HTTPTypes

/// The response to a request for a stream, without its body. It has no length and doesn't support ranges.
struct StreamAnswer: Sendable, Hashable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var hasBody: Bool

    init(to request: HTTPRequest, contentType: String) {
        guard request.method != .options else {
            (status, headers, hasBody) = (.noContent, .scriptPermission, false)
            return
        }
        guard request.method == .get || request.method == .head else {
            (status, headers, hasBody) = (.methodNotAllowed, [.allow: "GET, HEAD", .contentLength: "0"], false)
            return
        }
        let fields = request.headerFields
        // DLNA guidelines 7.5.4.3.2.9: any other value is an error.
        guard fields[.getContentFeatures] ?? "1" == "1" else {
            (status, headers, hasBody) = (.badRequest, [.contentLength: "0"], false)
            return
        }
        status = .ok
        headers = [.acceptRanges: "none", .cacheControl: "no-store", .contentType: contentType]
        headers.allowScripts()
        if fields[.getContentFeatures] != nil {
            // No seeking, no conversion; streaming, paced by the sender.
            headers[.contentFeatures] =
                "DLNA.ORG_OP=00;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=81700000" + String(repeating: "0", count: 24)
        }
        if fields[.transferMode] != nil { headers[.transferMode] = "Streaming" }
        hasBody = request.method == .get
        if !hasBody { headers[.connection] = "close" }
    }
}
