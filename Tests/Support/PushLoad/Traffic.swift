import Foundation

/// Pushes at an even rate, as a server with several gateways sends them: those of one session one after the other, each until it
/// is answered 200, to another gateway when one refuses or does not answer.
actor Traffic {
    private static let pause = Duration.milliseconds(100)
    /// For one push, in seconds.
    private static let patience = 60.0

    private let sessions: Sessions
    private let hot: Int
    private let providers: [Provider]
    private let fields: [(String, String)]
    private let ledger: Ledger
    private var lanes: [Int: Task<Void, Never>] = [:]
    private var random = SystemRandomNumberGenerator()

    /// - Parameters:
    ///   - hot: Half of the pushes go to so many sessions, the others to any.
    ///   - authorization: `authorization` of the requests.
    init(sessions: Sessions, hot: Int, providers: [Provider], authorization: String, ledger: Ledger) {
        self.sessions = sessions
        self.hot = hot
        self.providers = providers
        self.ledger = ledger
        fields = [
            ("authorization", authorization), ("apns-topic", Sessions.application + ".push-type.nowplaying"),
            ("apns-push-type", "nowplaying"),
        ]
    }

    /// Returns when everything was answered.
    func run(count: Int, rate: Double, from begin: Double) async {
        for number in 0..<count {
            let due = begin + Double(number) / rate
            let wait = due - Clock.seconds
            if wait > 0 { try? await Task.sleep(for: .seconds(wait)) }
            let session = Int.random(in: 0..<(number.isMultiple(of: 2) ? hot : sessions.count), using: &random)
            let earlier = lanes[session]
            lanes[session] = Task { [self] in
                await earlier?.value
                await send(session, number, due)
            }
        }
        for lane in lanes.values { await lane.value }
    }

    private nonisolated func send(_ session: Int, _ number: Int, _ due: Double) async {
        let identifier = UUID().uuidString.lowercased()
        let payload = Array(
            """
            {"aps": {"event": "update", "timestamp": \(Int(Date().timeIntervalSince1970)), "attributes": {"id": \
            "\(Sessions.name(session))", "session": \(session), "number": \(number), "due": \(due), "title": \
            "The title of what plays now", "artist": "Somebody", "isPlaying": true, "position": 12.5, "duration": 240}}}
            """.utf8)
        let token = Sessions.token(session).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var gateway = number % providers.count
        while Clock.seconds < due + Self.patience {
            do {
                let status = try await providers[gateway].post(
                    token: token, fields: fields + [("apns-id", identifier)], payload: payload)
                ledger.attempted(status == 200 ? nil : "\(status)")
                if status == 200 { return ledger.accepted(session, number, due: due, now: Clock.seconds) }
            } catch {
                ledger.attempted("no answer")
            }
            gateway = (gateway + 1) % providers.count
            try? await Task.sleep(for: Self.pause)
        }
    }
}
