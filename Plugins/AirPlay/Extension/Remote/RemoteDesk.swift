import AirPlayProtocol
import Logging
import NIOHTTP1
import ReverseConnections
import Synchronization

/// The server for receivers' key presses, shared by all connections to one address.
final class RemoteDesk: DeviceServer.Responder {
    /// The handler of a key press.
    typealias Press = @Sendable (RemoteCommand) async -> Void

    /// The limits for requests, which consist of a line and some headers.
    static let bounds = DeviceServer.Bounds(body: 1024, connections: 32)

    private struct State {
        var guests = RemoteGuests<Press>()
        var hasToldOfStrangers = false
    }

    private let state = Mutex(State())

    /// - Returns: The token of a receiver at that address.
    func admit(_ address: String, _ press: @escaping Press) -> UInt32 {
        state.withLock { state in
            state.guests.admit(press, at: address) { UInt32.random(in: 1 ... .max) }
        }
    }

    func remove(_ token: UInt32) { state.withLock { $0.guests.remove(token) } }

    func refusal(of request: DeviceServer.Request) -> HTTPResponseStatus? {
        guard press(request) != nil else {
            tellOfStranger(request.peer)
            return .forbidden
        }
        switch RemoteRequest(method: request.head.method.rawValue, uri: request.head.uri) {
        case .command: return nil
        case .beyond: return .notImplemented
        // This answer tells receivers that the sender has buttons but no library; shairport-sync asks every few
        // seconds.
        case .question: return .badRequest
        case nil: return .notFound
        }
    }

    func answer(_ request: DeviceServer.Request, _ body: [UInt8]) async -> HTTPResponseStatus {
        guard let press = press(request),
            case .command(let command) = RemoteRequest(method: request.head.method.rawValue, uri: request.head.uri)
        else { return .forbidden }
        await press(command)
        return .noContent
    }

    private func press(_ request: DeviceServer.Request) -> Press? {
        let header = request.head.headers.first(name: "Active-Remote")
        return state.withLock { $0.guests.guest(header) { request.isFrom($0) } }
    }

    /// Logs the first unknown sender only, because anyone can send many requests.
    private func tellOfStranger(_ peer: String) {
        let isFirst = state.withLock { state in
            defer { state.hasToldOfStrangers = true }
            return !state.hasToldOfStrangers
        }
        guard isFirst else { return }
        log.notice("a remote control that is none of the receivers' was refused", metadata: ["address": "\(peer)"])
    }
}
