import AirPlayProtocol
import Foundation
import Synchronization

/// A receiver that plays addresses by itself: records its commands, and answers as the test says.
final class ReceiverScreen: Sendable {
    struct State: Sendable {
        var requests: [RTSPRequest] = []
        /// The address it plays now.
        var address: String?
        var duration: Double? = 60
        var position = 0.0
        var rate = 0.0
        var level: String?
        var failure: Int?
        /// A Boolean value that indicates whether it hasn't opened the address yet.
        var opensLate = false
        /// The sender's answers to the events.
        var answers: [Int] = []
        /// The connections that receive events; empty without a listener.
        fileprivate var listeners: [Listener] = []
        /// The number of times a sender began to listen.
        fileprivate(set) var timesHeard = 0

        func count(_ path: String) -> Int { requests.count { $0.uri.hasPrefix(path) } }
    }

    fileprivate struct Listener: Sendable {
        var send: @Sendable ([UInt8]) -> Void
        var hangUp: @Sendable () -> Void
    }

    /// A Boolean value that indicates whether it reads only lines of text, as the first receivers did.
    private let takesText: Bool
    /// A Boolean value that indicates whether it sends events.
    private let tells: Bool
    private let state = Mutex(State())

    init(takesText: Bool = false, tells: Bool = false) {
        self.takesText = takesText
        self.tells = tells
    }

    var now: State { state.withLock { $0 } }

    /// Changes the state as a person with the remote control does.
    func change(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    // MARK: Events

    /// Sends an event as Kodi does: for any media, with the number of the listening session.
    func tell(_ event: String, session: String? = nil) {
        let (listeners, own) = state.withLock { state in
            (state.listeners, state.requests.last { $0.uri == "/reverse" }?.headers["X-Apple-Session-ID"])
        }
        let body =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\r\n<plist version=\"1.0\">\r\n<dict>\r\n<key>category</key>\r\n"
            + "<string>video</string>\r\n<key>sessionID</key>\r\n<integer>7</integer>\r\n<key>state</key>\r\n"
            + "<string>\(event)</string>\r\n</dict>\r\n</plist>\r\n"
        let head =
            "POST /event HTTP/1.1\r\nContent-Type: text/x-apple-plist+xml\r\nContent-Length: \(body.utf8.count)\r\n"
            + "x-apple-session-id: \(session ?? own ?? "")\r\n\r\n"
        for listener in listeners { listener.send(Array((head + body).utf8)) }
    }

    /// Ends the connections over which it tells, and no other.
    func fallSilent() {
        for listener in state.withLock({ state in
            defer { state.listeners = [] }
            return state.listeners
        }) { listener.hangUp() }
    }

    func asks(by send: @escaping @Sendable ([UInt8]) -> Void, until hangUp: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.listeners = [Listener(send: send, hangUp: hangUp)]
            state.timesHeard += 1
        }
    }

    func isAnswered(_ status: Int) { state.withLock { $0.answers.append(status) } }

    // MARK: Requests

    func answer(_ request: RTSPRequest) -> (status: Int, body: [UInt8]) {
        state.withLock { state in
            state.requests.append(request)
            let parts = request.uri.split(separator: "?", maxSplits: 1)
            let value = parts.count == 2 ? parts[1].split(separator: "=").last.flatMap { Double($0) } : nil
            switch parts[0] {
            case "/play":
                guard let address = Self.address(request, takesText) else { return (501, []) }
                state.address = address
                (state.position, state.rate) = (0, 1)
            case "/scrub": state.position = value ?? -1
            case "/rate": state.rate = value ?? -1
            case "/volume": state.level = String(parts[1])
            case "/stop": state.address = nil
            case "/reverse" where tells && request.headers["Upgrade"] == "PTTH/1.0": return (101, [])
            case "/playback-info": return (200, Self.information(state))
            default: return (404, [])
            }
            return (200, [])
        }
    }

    private static func address(_ request: RTSPRequest, _ takesText: Bool) -> String? {
        if takesText {
            guard request.headers["Content-Type"] == "text/parameters" else { return nil }
            return String(decoding: request.body, as: UTF8.self).split(separator: "\n")
                .first { $0.hasPrefix("Content-Location: ") }.map { String($0.dropFirst(18)) }
        }
        let list = try? PropertyListSerialization.propertyList(from: Data(request.body), format: nil)
        return (list as? [String: Any])?["Content-Location"] as? String
    }

    private static func information(_ state: State) -> [UInt8] {
        var values: [String: Any] = ["readyToPlay": state.address != nil && !state.opensLate]
        if state.address != nil, !state.opensLate {
            values["duration"] = state.duration
            values["position"] = state.position
            values["rate"] = state.rate
        }
        if let failure = state.failure { values["error"] = ["domain": "NSURLErrorDomain", "code": failure] }
        let data = try? PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        return Array(data ?? Data())
    }
}
