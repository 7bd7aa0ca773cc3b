import HTTPTypes
import HostInterface

/// A response with a body in memory.
struct PageResponse: Sendable {
    var status: HTTPResponse.Status
    var fields = HTTPFields()
    var body: [UInt8] = []

    static func json(_ text: String) -> PageResponse {
        var response = PageResponse(status: .ok, body: Array(text.utf8))
        response.fields[.contentType] = "application/json"
        return response
    }

    static func error(_ status: HTTPResponse.Status, _ error: HostError) -> PageResponse {
        struct Failure: Encodable {
            struct Details: Encodable {
                var code: String
                var message: String
                var remedy: String?
                var canRetry: Bool
            }
            var error: Details
        }
        let failure = Failure(
            error: .init(
                code: error.code.rawValue, message: error.message, remedy: error.remedy, canRetry: error.canRetry))
        var response = json(PageJSON.text(failure))
        response.status = status
        return response
    }

    /// The response for an error of the daemon or the device.
    static func error(_ error: HostError) -> PageResponse { Self.error(status(for: error), error) }

    private static func status(for error: HostError) -> HTTPResponse.Status {
        switch error.code {
        case .invalidArgument, .ambiguousName, .notMerged, .fileNotFound: .badRequest
        case .noSuchDevice, .noSuchSession, .noSuchExtension, .noSuchSink: .notFound
        case .limitExceeded: .tooManyRequests
        case .hostUnavailable: .serviceUnavailable
        case .timedOut, .unreachable: .gatewayTimeout
        case .internalFailure, .storageFailed: .internalServerError
        default: .conflict
        }
    }

    /// The same response, after which the connection is closed.
    var closing: PageResponse {
        var response = self
        response.fields[.connection] = "close"
        return response
    }

    /// The head, with what every response has.
    var head: HTTPResponse {
        var fields = fields
        fields[.contentLength] = String(body.count)
        return Self.head(status, fields)
    }

    static func head(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> HTTPResponse {
        var fields = fields
        for (name, value) in always { fields[name] = value }
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
        return HTTPResponse(status: status, headerFields: fields)
    }

    /// Nothing of other servers is loaded, nothing of ours is shown in other pages, and no type is guessed.
    private static let always: [(HTTPField.Name, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
