import DLNAProtocol
import Descriptors
import DeviceConnections
import Foundation
import PlaybackKit

/// An HTTP client for devices, with a short connection for each request and limits for time and size.
///
/// Connections aren't reused: half of the renderers close them, and the result of a request on a closing connection is
/// unknown.
struct DeviceHTTPClient: DeviceTransport {
    struct Limits: Sendable {
        /// The time limit between two pieces of the answer.
        var silence: Duration = .seconds(5)
        /// The time limit for the whole request.
        var total: Duration = .seconds(15)
        /// Bytes of the answer.
        var size = 1 << 20
    }

    var limits = Limits()

    func send(_ request: DeviceRequest) async throws(DeviceFailure) -> DeviceAnswer {
        guard let host = request.url.host(percentEncoded: false), !host.isEmpty else {
            throw .unreachable("no host in \(request.url)")
        }
        let port = UInt16(try LocalAddress.port(of: request.url))
        guard DescriptorReserve.hasRoom else { throw .exhausted }
        do throws(TransportFailure) {
            let answer = try await exchange(request, host: host).send(
                toAnyOf: [.hostPort(host: NWEndpoint.Host(host), port: NWEndpoint.Port(integerLiteral: port))])
            return DeviceAnswer(status: answer.status, headers: answer.headers, body: answer.body)
        } catch {
            throw Task.isCancelled ? .cancelled : DeviceFailure(error)
        }
    }

    private func exchange(_ request: DeviceRequest, host: String) -> HTTPExchange {
        let path = request.url.path(percentEncoded: true)
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        var exchange = HTTPExchange(path: (path.isEmpty ? "/" : path) + query)
        exchange.method = request.method
        exchange.headers = request.headers
        let port = request.url.port.map { ":\($0)" } ?? ""
        // A zone means something on this machine only.
        let bare = LocalAddress.withoutZone(host)
        exchange.headers["Host"] = (bare.contains(":") ? "[\(bare)]" : bare) + port
        exchange.headers["User-Agent"] = "Linux UPnP/1.1 mdhost/1"
        exchange.body = request.body ?? []
        exchange.silence = limits.silence
        exchange.limit = limits.total
        exchange.longestAnswer = limits.size
        return exchange
    }
}

extension DeviceFailure {
    fileprivate init(_ failure: TransportFailure) {
        self =
            switch failure {
            case .unreachable(let reason), .disconnected(let reason): .unreachable(reason)
            case .timedOut: .timedOut
            case .malformed(let reason): .malformed(reason)
            case .tooLarge: .tooLarge
            }
    }
}
