import ReferenceProtocol

/// Who may use the receiver: the codes it shows, the tokens it gave out, and how often a wrong code is taken.
struct PairingDesk: Sendable {
    enum Answer: Sendable, Hashable {
        case paired(token: String)
        case failed(ReferenceFailure)
    }

    private struct Pending: Sendable {
        let client: Int
        /// `nil` while a key press is waited for.
        let code: String?
    }

    /// How many wrong answers are taken before the receiver wants to be left alone.
    static let attempts = 3
    /// For how long, in seconds.
    static let pause = 30.0

    let authorization: ReferenceAnnouncement.Authorization
    private let password: String
    private(set) var tokens: Set<String>
    private var pending: Pending?
    private var wrongAnswers = 0
    private var closedUntil = 0.0

    /// - Parameters:
    ///   - password: Asked for with the authorization `password`.
    ///   - tokens: Of earlier pairings.
    init(
        authorization: ReferenceAnnouncement.Authorization, password: String, tokens: Set<String>
    ) {
        self.authorization = authorization
        self.password = password
        self.tokens = tokens
    }

    /// The client whose answer, or for whom a key press, is waited for.
    var pendingClient: Int? { pending?.client }

    func isAuthorized(token: String?) -> Bool {
        authorization == .none || token.map(tokens.contains) == true
    }

    /// Begins a pairing; one that another client began is over.
    ///
    /// - Returns: The code to show, if there is one to show.
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

    /// Takes a code or password.
    mutating func answer(_ code: String, client: Int, now: Double) -> Answer {
        guard let pending, pending.client == client, let expected = pending.code else {
            return .failed(ReferenceFailure(.refused, "No code was asked for."))
        }
        guard code == expected else {
            wrongAnswers += 1
            self.pending = nil
            guard wrongAnswers >= Self.attempts else {
                return .failed(ReferenceFailure(.wrongCode, "The code is wrong."))
            }
            wrongAnswers = 0
            closedUntil = now + Self.pause
            return .failed(
                ReferenceFailure(.wrongCode, "The code is wrong. Wait \(Int(Self.pause)) seconds and try again."))
        }
        return .paired(token: accept())
    }

    /// The person pressed the key on the receiver: yes or no.
    ///
    /// - Returns: `nil` if nobody waits for it.
    mutating func confirm(_ isAllowed: Bool) -> (client: Int, answer: Answer)? {
        guard let pending, pending.code == nil else { return nil }
        guard isAllowed else {
            self.pending = nil
            return (pending.client, .failed(ReferenceFailure(.refused, "It was refused on the device.")))
        }
        return (pending.client, .paired(token: accept()))
    }

    /// Ends a pairing of that client, if there is one.
    ///
    /// - Returns: Whether there was one.
    mutating func cancel(client: Int) -> Bool {
        guard pending?.client == client else { return false }
        pending = nil
        return true
    }

    private mutating func accept() -> String {
        pending = nil
        wrongAnswers = 0
        let token = (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
        tokens.insert(token)
        return token
    }

    private static func randomDigits(_ count: Int) -> String {
        (0..<count).map { _ in String(Int.random(in: 0..<10)) }.joined()
    }
}
