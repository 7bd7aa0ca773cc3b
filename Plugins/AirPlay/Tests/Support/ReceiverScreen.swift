import AirPlayProtocol
import Foundation
import Synchronization

/// A receiver that plays addresses by itself: takes what it is told, and says what the test has it say.
final class ReceiverScreen: Sendable {
    struct State: Sendable {
        var requests: [RTSPRequest] = []
        /// What it plays now.
        var address: String?
        var duration: Double? = 60
        var position = 0.0
        var rate = 0.0
        var level: String?
        var failure: Int?

        func count(_ path: String) -> Int { requests.count { $0.uri.hasPrefix(path) } }
    }

    /// Whether it reads lines of text only, as the first receivers.
    private let takesText: Bool
    private let state = Mutex(State())

    init(takesText: Bool = false) { self.takesText = takesText }

    var now: State { state.withLock { $0 } }

    /// Somebody has the remote control in hand.
    func change(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

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
        var values: [String: Any] = ["readyToPlay": state.address != nil]
        if state.address != nil {
            values["duration"] = state.duration
            values["position"] = state.position
            values["rate"] = state.rate
        }
        if let failure = state.failure { values["error"] = ["domain": "NSURLErrorDomain", "code": failure] }
        let data = try? PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        return Array(data ?? Data())
    }
}
