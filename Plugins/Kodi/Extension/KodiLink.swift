import DeviceConnections
import Foundation
import JSONValues
import KodiProtocol
import PlaybackKit

/// An error of a call.
enum KodiFailure: Error, Sendable {
    case transport(TransportFailure)
    case refused(KodiRefusal)
    /// The web server wants another login.
    case unauthorized

    /// - Parameter code: The kind of failure where Kodi refused.
    func asDeviceError(_ code: MediaDeviceError.Code) -> MediaDeviceError {
        switch self {
        case .transport(let failure): MediaDeviceError(failure)
        case .refused(let refusal):
            MediaDeviceError(code, detail: .deviceRefused, reason: "Kodi refused: \(refusal.message)")
        case .unauthorized:
            MediaDeviceError(.authorizationFailed, reason: "Kodi doesn't accept the password any longer.")
        }
    }
}

/// A connection for calls to Kodi.
protocol KodiLink: Sendable {
    /// Kodi's notifications until the connection ends; `nil` if Kodi has to be polled.
    var notifications: AsyncStream<KodiNotification>? { get }

    func call(_ call: KodiCall) async throws(KodiFailure) -> JSON
    func close() async
}

/// A link that sends calls over one TCP connection.
struct KodiTCPLink: KodiLink {
    private let connection: DeviceConnection<KodiConnectionMachine>

    init(_ connection: DeviceConnection<KodiConnectionMachine>) { self.connection = connection }

    var notifications: AsyncStream<KodiNotification>? { connection.notifications }

    func call(_ call: KodiCall) async throws(KodiFailure) -> JSON {
        let result: Result<JSON, KodiRefusal>
        do throws(TransportFailure) { result = try await connection.request(call) } catch { throw .transport(error) }
        do throws(KodiRefusal) { return try result.get() } catch { throw .refused(error) }
    }

    func close() async { await connection.close() }
}

/// Calls through the web server, each with a connection of its own.
struct KodiHTTPLink: KodiLink {
    private let endpoints: [NWEndpoint]
    private let login: KodiLogin?

    init(_ endpoints: [NWEndpoint], login: KodiLogin?) {
        self.endpoints = endpoints
        self.login = login
    }

    var notifications: AsyncStream<KodiNotification>? { nil }

    func call(_ call: KodiCall) async throws(KodiFailure) -> JSON {
        var exchange = HTTPExchange(path: "/jsonrpc")
        exchange.method = "POST"
        exchange.headers = ["Content-Type": "application/json"]
        if let login { exchange.headers["Authorization"] = "Basic " + Data(login.text.utf8).base64EncodedString() }
        exchange.body = call.encoded(id: 1)
        exchange.limit = call.limit
        let answer: HTTPExchange.Answer
        do throws(TransportFailure) { answer = try await exchange.send(toAnyOf: endpoints) } catch {
            throw .transport(error)
        }
        guard answer.status != 401 else { throw .unauthorized }
        guard answer.status == 200, case .answer(_, let result)? = KodiMessage(answer.body) else {
            throw .transport(.malformed("its web server answered with status \(answer.status)"))
        }
        do throws(KodiRefusal) { return try result.get() } catch { throw .refused(error) }
    }

    func close() async {}
}
