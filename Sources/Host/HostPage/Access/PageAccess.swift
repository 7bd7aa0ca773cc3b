import HostInterface

/// The rules of who may use the page, as a value: tokens, browsers, and browsers that ask.
///
/// Times are seconds of any one clock, but those of browsers, which are seconds since 1970.
struct PageAccess: Sendable {
    static let tokenLifetime = 120.0
    static let askLifetime = 300.0
    private static let tokenLimit = 16
    private static let askLimit = 8
    private static let browserLimit = 64
    private static let asksPerAddress = 2

    struct Token: Sendable {
        var expires: Double
        var role: PageRole
        var picker: PagePicker?
    }

    /// A browser of the network that waits to be accepted.
    struct Ask: Sendable {
        enum State: Sendable, Hashable {
            case waiting
            case allowed(PageRole)
            case refused
        }

        var code: String
        var name: String
        var address: String
        var secretHash: String
        var expires: Double
        var state = State.waiting
    }

    enum AskAnswer: Sendable, Hashable {
        case waiting
        case allowed(cookie: String, browser: PageBrowser)
        case refused
    }

    private(set) var browsers: [PageBrowser]
    /// By the hash of the token.
    private var tokens: [String: Token] = [:]
    private(set) var asks: [Ask] = []

    init(browsers: [PageBrowser] = []) { self.browsers = browsers }

    // MARK: Tokens

    /// Makes a token for one entrance.
    mutating func makeToken(role: PageRole = .administrate, picker: PagePicker? = nil, now: Double) -> String {
        tokens = tokens.filter { $0.value.expires > now }
        // The oldest makes room: nobody waits two minutes for a browser to open.
        while tokens.count >= Self.tokenLimit, let oldest = tokens.min(by: { $0.value.expires < $1.value.expires }) {
            tokens[oldest.key] = nil
        }
        let token = PageSecret.make()
        tokens[PageSecret.hash(token)] = Token(expires: now + Self.tokenLifetime, role: role, picker: picker)
        return token
    }

    /// Takes a token, which can't be used again.
    ///
    /// - Returns: The token; `nil` if it is wrong, used or too old.
    mutating func take(_ token: String, now: Double) -> Token? {
        let hash = PageSecret.hash(token)
        guard let key = tokens.keys.first(where: { PageSecret.isEqual($0, hash) }),
            let taken = tokens.removeValue(forKey: key), taken.expires > now
        else { return nil }
        return taken
    }

    // MARK: Browsers

    /// Adds a browser.
    ///
    /// - Parameter date: In seconds since 1970.
    /// - Returns: Its cookie, and the browser.
    /// - Throws: ``HostError`` `limit-exceeded`.
    mutating func add(
        _ name: String, role: PageRole, date: Double
    ) throws(HostError) -> (cookie: String, browser: PageBrowser) {
        guard browsers.count < Self.browserLimit else {
            throw HostError(
                .limitExceeded, "\(Self.browserLimit) browsers can use the page already.",
                remedy: "`mdhost page browsers` lists them, and `mdhost page revoke` removes one.")
        }
        let cookie = PageSecret.make()
        let hash = PageSecret.hash(cookie)
        let browser = PageBrowser(
            id: String(PageSecret.hash(hash).prefix(8)), name: Self.shortened(name), role: role, cookieHash: hash,
            entered: date, seen: date)
        browsers.append(browser)
        return (cookie, browser)
    }

    /// Returns the browser with a cookie. Every stored one is compared, in constant time.
    func browser(cookie: String) -> PageBrowser? {
        let hash = PageSecret.hash(cookie)
        return browsers.reduce(nil) { found, browser in
            PageSecret.isEqual(browser.cookieHash, hash) ? browser : found
        }
    }

    /// Notes that a browser was seen, to the hour.
    ///
    /// - Returns: Whether that is news.
    mutating func note(_ browser: String, seen date: Double) -> Bool {
        guard let index = browsers.firstIndex(where: { $0.id == browser }), date - browsers[index].seen >= 3_600 else {
            return false
        }
        browsers[index].seen = date
        return true
    }

    /// Removes a browser by its identifier, or by its name if no other has it.
    ///
    /// - Throws: ``HostError`` `invalid-argument` or `ambiguous-name`.
    mutating func revoke(_ word: String) throws(HostError) -> PageBrowser {
        let meant = browsers.filter { $0.id == word.lowercased() }
        let named = meant.isEmpty ? browsers.filter { $0.name.lowercased() == word.lowercased() } : meant
        guard let browser = named.first else {
            throw HostError(
                .invalidArgument, "No browser is called “\(word)”.", remedy: "`mdhost page browsers` lists them.")
        }
        guard named.count == 1 else {
            throw HostError(.ambiguousName, "\(named.count) browsers are called “\(word)”.", remedy: "Use the id.")
        }
        browsers.removeAll { $0.id == browser.id }
        return browser
    }

    // MARK: Browsers of the network

    /// Notes that a browser asks to be accepted.
    ///
    /// - Returns: The code to show, and the secret by which it asks for the outcome.
    /// - Throws: ``HostError`` `limit-exceeded`.
    mutating func ask(
        _ name: String, from address: String, now: Double
    ) throws(HostError) -> (code: String, secret: String) {
        asks.removeAll { $0.expires <= now }
        let own = asks.count { $0.address == address && $0.state == .waiting }
        guard asks.count < Self.askLimit, own < Self.asksPerAddress else {
            throw HostError(.limitExceeded, "Too many browsers are asking.", remedy: "Try again in a few minutes.")
        }
        var code = PageSecret.makeCode()
        while asks.contains(where: { $0.code == code }) { code = PageSecret.makeCode() }
        let secret = PageSecret.make()
        asks.append(
            Ask(
                code: code, name: Self.shortened(name), address: address, secretHash: PageSecret.hash(secret),
                expires: now + Self.askLifetime))
        return (code, secret)
    }

    /// Decides about a browser that asks; `nil` refuses it.
    ///
    /// - Throws: ``HostError`` `invalid-argument` if no browser shows the code.
    mutating func decide(_ code: String, _ role: PageRole?, now: Double) throws(HostError) -> Ask {
        asks.removeAll { $0.expires <= now }
        let digits = code.filter { !$0.isWhitespace && $0 != "-" }
        guard let index = asks.firstIndex(where: { $0.code == digits && $0.state == .waiting }) else {
            throw HostError(
                .invalidArgument, "No browser that is waiting shows the code \(digits).",
                remedy: "Codes are valid for five minutes. Reload the page in the other browser for a new one.")
        }
        asks[index].state = role.map { .allowed($0) } ?? .refused
        return asks[index]
    }

    /// The outcome for a browser that asked; an accepted one is added.
    ///
    /// - Parameter date: In seconds since 1970.
    mutating func outcome(_ secret: String, now: Double, date: Double) throws(HostError) -> AskAnswer {
        asks.removeAll { $0.expires <= now }
        let hash = PageSecret.hash(secret)
        guard let index = asks.firstIndex(where: { PageSecret.isEqual($0.secretHash, hash) }) else { return .refused }
        let ask = asks[index]
        switch ask.state {
        case .waiting: return .waiting
        case .refused:
            asks.remove(at: index)
            return .refused
        case .allowed(let role):
            let (cookie, browser) = try add(ask.name, role: role, date: date)
            asks.remove(at: index)
            return .allowed(cookie: cookie, browser: browser)
        }
    }

    /// Names come from browsers: without control characters, and short.
    private static func shortened(_ name: String) -> String {
        let shown = String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter {
                    !$0.properties.isDefaultIgnorableCodePoint
                        && $0.properties.generalCategory != .control
                }.prefix(60))
        )
        .split(separator: " ").joined(separator: " ")
        return shown.isEmpty ? "Browser" : shown
    }
}
