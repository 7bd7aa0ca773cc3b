import Backoff
import ReferenceProtocol

/// The pairing of clients: the codes on the screen, the issued tokens, and the limit for wrong codes.
struct PairingDesk: Sendable {
    enum Answer: Sendable, Hashable {
        case paired(token: String)
        case failed(ReferenceFailure)
    }

    private struct Pending: Sendable {
        let client: Int
        /// The expected code; `nil` for a key press.
        let code: String?
    }

    /// The number of wrong answers before the receiver refuses further ones.
    static let attempts = 3
    /// The duration of the first refusal in seconds. Each further one takes twice as long, until a code is right.
    static let pause = 30.0
    static let longestPause = 3_600.0

    let authorization: ReferenceAnnouncement.Authorization
    private let password: String
    private(set) var tokens: Set<String>
    private var pending: Pending?
    private var wrongAnswers = 0
    private var pauses = Backoff(from: .seconds(pause), upTo: .seconds(longestPause))
    private var closedUntil = 0.0

    /// Creates the state of pairing.
    ///
    /// - Parameters:
    ///   - authorization: The authorization that the receiver requires.
    ///   - password: The password for the authorization `password`.
    ///   - tokens: The tokens of earlier pairings.
    init(
        authorization: ReferenceAnnouncement.Authorization, password: String, tokens: Set<String>
    ) {
        self.authorization = authorization
        self.password = password
        self.tokens = tokens
    }

    /// The client whose pairing waits for an answer or a key press.
    var pendingClient: Int? { pending?.client }

    func isAuthorized(token: String?) -> Bool {
        authorization == .none || token.map(tokens.contains) == true
    }

    /// Starts a pairing, which ends that of another client.
    ///
    /// - Returns: The code to show; `nil` if there is none.
    mutating func begin(client: Int, now: Double) throws(ReferenceFailure) -> String? {
        guard now >= closedUntil else {
            let seconds = Int((closedUntil - now).rounded(.up))
            throw ReferenceFailure(.refused, "Too many wrong codes: wait \(seconds) seconds.")
        }
        let code: String? =
            switch authorization {
            case .none, .confirm: nil
            case .password: password
            case .pin4: Self.randomDigits(4)
            case .pin6: Self.randomDigits(6)
            }
        pending = Pending(client: client, code: code)
        return authorization == .password ? nil : code
    }

    /// Checks a code or password.
    mutating func answer(_ code: String, client: Int, now: Double) -> Answer {
        guard let pending, pending.client == client, let expected = pending.code else {
            return .failed(ReferenceFailure(.refused, "No code was asked for."))
        }
        guard Self.isEqual(code, expected) else {
            let secret = authorization == .password ? "password" : "code"
            wrongAnswers += 1
            self.pending = nil
            guard wrongAnswers >= Self.attempts else {
                return .failed(ReferenceFailure(.wrongCode, "The \(secret) is wrong."))
            }
            wrongAnswers = 0
            let pause = pauses.next().components.seconds
            closedUntil = now + Double(pause)
            return .failed(
                ReferenceFailure(
                    .wrongCode, "Too many wrong \(secret)s. Wait \(pause) seconds, then try again."))
        }
        return .paired(token: accept())
    }

    /// Processes the key press on the receiver.
    ///
    /// - Returns: `nil` if no client waits for it.
    mutating func confirm(_ isAllowed: Bool) -> (client: Int, answer: Answer)? {
        guard let pending, pending.code == nil else { return nil }
        guard isAllowed else {
            self.pending = nil
            return (pending.client, .failed(ReferenceFailure(.refused, "It was refused on the device.")))
        }
        return (pending.client, .paired(token: accept()))
    }

    /// Cancels the pairing of a client.
    ///
    /// - Returns: `false` if it had none.
    mutating func cancel(client: Int) -> Bool {
        guard pending?.client == client else { return false }
        pending = nil
        return true
    }

    private mutating func accept() -> String {
        pending = nil
        wrongAnswers = 0
        pauses.reset()
        let token = (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
        tokens.insert(token)
        return token
    }

    /// Compares in a time that doesn't depend on where the texts differ.
    private static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        return left.count == right.count && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func randomDigits(_ count: Int) -> String {
        (0..<count).map { _ in String(Int.random(in: 0..<10)) }.joined()
    }
}
