import DLNAProtocol
import Descriptors
import DeviceConnections

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
        guard DescriptorReserve.hasRoom else { throw .exhausted }
        var exchange = HTTPExchange(url: request.url)
        exchange.method = request.method
        exchange.headers["User-Agent"] = "Linux UPnP/1.1 mdhost/1"
        exchange.headers.merge(request.headers) { $1 }
        exchange.body = request.body ?? []
        exchange.silence = limits.silence
        exchange.limit = limits.total
        exchange.longestAnswer = limits.size
        do throws(TransportFailure) {
            return try await exchange.send(toAnyOf: [HTTPExchange.endpoint(of: request.url)])
        } catch {
            throw Task.isCancelled ? .cancelled : DeviceFailure(error)
        }
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
