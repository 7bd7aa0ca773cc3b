/// A reversed connection as a value: it processes the receiver's requests, answers each, and returns its events.
///
/// The owner passes in the bytes after the receiver answered `/reverse` with 101, and performs the returned actions, in
/// order.
package struct ReverseConnectionMachine: Sendable {
    package enum Action: Sendable, Hashable {
        case send([UInt8])
        case event(VideoEvent)
        /// Close the connection. No action follows.
        case close(AirPlayError)
    }

    /// Events are short.
    package static let limits = {
        var limits = RTSPLimits()
        limits.body = VideoEvent.limit
        return limits
    }()

    private var parser = RTSPParser<RTSPRequest>(limits: Self.limits)
    package private(set) var isClosed = false

    package init() {}

    /// Bytes arrived.
    package mutating func received(_ bytes: some Collection<UInt8>) -> [Action] {
        guard !isClosed else { return [] }
        parser.append(bytes)
        var actions: [Action] = []
        do throws(AirPlayError) {
            while let request = try parser.next() { actions += Self.answered(request) }
        } catch {
            isClosed = true
            actions.append(.close(error))
        }
        return actions
    }

    private static func answered(_ request: RTSPRequest) -> [Action] {
        guard request.uri.prefix(while: { $0 != "?" }) == VideoEvent.path else {
            return [answer(404, "Not Found", to: request)]
        }
        guard request.method == "POST" else { return [answer(405, "Method Not Allowed", to: request)] }
        do throws(AirPlayError) {
            let event = try VideoEvent(request.body, session: request.headers["X-Apple-Session-ID"])
            return [answer(200, "OK", to: request)] + (event.map { [.event($0)] } ?? [])
        } catch {
            // The body's length is valid, so the next request can still be found.
            return [answer(400, "Bad Request", to: request)]
        }
    }

    private static func answer(_ status: Int, _ reason: String, to request: RTSPRequest) -> Action {
        var response = RTSPResponse(status: status, reason: reason)
        response.headers["CSeq"] = request.headers["CSeq"]
        return .send(response.encoded(as: request.version))
    }
}
