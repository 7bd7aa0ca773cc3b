import DeviceConnections
import Foundation

/// One HTTP request to a device.
struct DeviceRequest: Sendable, Hashable {
    var method: String
    var url: URL
    var headers: [String: String] = [:]
    var body: [UInt8]?
}

/// The answer of a device.
typealias DeviceAnswer = HTTPExchange.Answer

extension DeviceAnswer {
    var isSuccess: Bool { (200..<300).contains(status) }
}

/// Carries requests to devices.
protocol DeviceTransport: Sendable {
    /// Sends a request and collects the answer, whatever its status.
    ///
    /// - Throws: ``DeviceFailure``: `unreachable`, `timedOut`, `tooLarge`, `cancelled`.
    func send(_ request: DeviceRequest) async throws(DeviceFailure) -> DeviceAnswer
}

extension DeviceTransport {
    private static var redirectLimit: Int { 3 }

    /// Fetches a document, following a few redirects as long as they stay on the host.
    func document(at url: URL) async throws(DeviceFailure) -> (body: [UInt8], url: URL) {
        var url = url
        for _ in 0...Self.redirectLimit {
            let answer = try await send(DeviceRequest(method: "GET", url: url))
            if answer.isSuccess { return (answer.body, url) }
            guard (300..<400).contains(answer.status), let target = answer.headers["location"],
                let next = URL(string: target, relativeTo: url)?.absoluteURL
            else { throw .status(answer.status) }
            guard next.scheme == "http", next.host()?.lowercased() == url.host()?.lowercased() else {
                throw .redirected(next.host() ?? target)
            }
            url = next
        }
        throw .redirected(url.absoluteString)
    }
}
