import Foundation
import HostClient
package import HostInterface
import Logging

/// Owns the file of browsers, and tells of every change.
package actor BrowserDirectory {
    /// A change of who may use the page.
    enum Change: Sendable {
        case browsers([PageBrowser])
        case revoked(PageBrowser)
        /// The browser's app picker; `nil` for none.
        case picker(PagePicker?, browser: String)
    }

    private var access: PageAccess
    private var pickers: [String: PagePicker] = [:]
    private let file: BrowserFile
    private let logger: Logger
    /// Wrong links. Right ones don't count, so that a stranger's guesses keep nobody out.
    private var guessedTokens: RateLimit
    private var guessedCodes: RateLimit
    /// Those that wait for the outcome of what a browser asked.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The streams that end with a browser's right to use the page.
    private var revocations: [UUID: (browser: String, end: AsyncStream<Never>.Continuation)] = [:]
    private let report: @Sendable (Change) async -> Void

    private static var now: Double { MonotonicTime.now }
    private static var date: Double { Date().timeIntervalSince1970.rounded() }

    /// - Throws: ``HostError`` `storage-failed`.
    init(
        folder: String, logger: Logger, report: @escaping @Sendable (Change) async -> Void
    ) throws(HostError) {
        file = BrowserFile(path: folder + "/browsers.json")
        access = PageAccess(browsers: try file.load())
        guessedTokens = RateLimit(capacity: 10, perSecond: 0.2, now: Self.now)
        guessedCodes = guessedTokens
        self.logger = logger
        self.report = report
    }

    package var browsers: [PageBrowser] { access.browsers }

    /// The browsers that ask, without their codes: a person reads those off the other screen.
    var asks: [PageBrowserStatus] {
        access.asks.filter { $0.state == .waiting && $0.expires > Self.now }.map {
            PageBrowserStatus(id: "", name: $0.name, role: "", seen: nil, address: $0.address)
        }
    }

    package func makeToken(role: PageRole = .administrate, picker: PagePicker? = nil) -> String {
        access.makeToken(role: role, picker: picker, now: Self.now)
    }

    func browser(cookie: String) -> PageBrowser? { access.browser(cookie: cookie) }

    func isKnown(_ browser: String) -> Bool { access.browsers.contains { $0.id == browser } }

    /// Returns a stream that ends when the browser is revoked; at once for one that isn't known.
    func revocation(of browser: String) -> AsyncStream<Never> {
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        guard isKnown(browser) else {
            end.finish()
            return stream
        }
        let key = UUID()
        revocations[key] = (browser, end)
        end.onTermination = { [weak self] _ in Task { await self?.forgetRevocation(key) } }
        return stream
    }

    private func forgetRevocation(_ key: UUID) { revocations[key] = nil }

    private func endRevocations(of browser: String) {
        for revocation in revocations.values where revocation.browser == browser { revocation.end.finish() }
    }

    func picker(of browser: String) -> PagePicker? { pickers[browser] }

    /// Exchanges a token for a cookie. A browser that has one keeps it.
    ///
    /// - Returns: The cookie of a new browser; `nil` for one that was known.
    func enter(_ token: String, name: String, cookie: String?) async throws(HostError) -> String? {
        guard let taken = access.take(token, now: Self.now) else {
            guard guessedTokens.take(now: Self.now) else {
                throw HostError(
                    .limitExceeded, "Too many attempts.", remedy: "Wait a minute, then run `mdhost page` again.")
            }
            logger.notice("A browser came with a link that isn't valid")
            throw HostError(
                .authorizationFailed, "This link was used before, or is too old.",
                remedy: "Run `mdhost page` for a new one.")
        }
        let known = cookie.flatMap { access.browser(cookie: $0) }
        if let known, known.role >= taken.role {
            await set(taken.picker, of: known.id)
            return nil
        }
        if let known {
            _ = try access.revoke(known.id)
            endRevocations(of: known.id)
        }
        let (cookie, browser) = try access.add(name, role: taken.role, date: Self.date)
        try file.save(access.browsers)
        if let known { await report(.revoked(known)) }
        if let picker = taken.picker { await set(picker, of: browser.id) }
        logger.notice("A browser may use the page", metadata: ["browser": "\(browser.id)", "role": "\(browser.role)"])
        await report(.browsers(access.browsers))
        return cookie
    }

    func set(_ picker: PagePicker?, of browser: String) async {
        guard pickers[browser] != picker else { return }
        pickers[browser] = picker
        await report(.picker(picker, browser: browser))
    }

    func noteSeen(_ browser: String) {
        guard access.note(browser, seen: Self.date) else { return }
        do throws(HostError) {
            try file.save(access.browsers)
        } catch {
            logger.warning("\(error.message)")
        }
    }

    /// Removes a browser, and ends its streams.
    package func revoke(_ word: String) async throws(HostError) -> PageBrowser {
        let browser = try access.revoke(word)
        pickers[browser.id] = nil
        endRevocations(of: browser.id)
        // Before it is stored: what can't be stored is over for this run all the same.
        await report(.revoked(browser))
        await report(.browsers(access.browsers))
        try file.save(access.browsers)
        logger.notice("A browser may not use the page any more", metadata: ["browser": "\(browser.id)"])
        return browser
    }

    // MARK: Browsers of the network

    func ask(_ name: String, from address: String) throws(HostError) -> (code: String, secret: String) {
        let asked = try access.ask(name, from: address, now: Self.now)
        logger.notice(
            "A browser asks to use the page; accept it with `mdhost page allow CODE`",
            metadata: ["address": "\(address)"])
        return asked
    }

    /// Accepts or refuses a browser that shows a code.
    ///
    /// - Returns: Its name.
    package func decide(_ code: String, _ role: PageRole?) throws(HostError) -> String {
        guard guessedCodes.take(now: Self.now) else { throw HostError(.limitExceeded, "Too many attempts.") }
        let ask = try access.decide(code, role, now: Self.now)
        let woken = waiting
        waiting = []
        for continuation in woken { continuation.resume() }
        return ask.name
    }

    /// The outcome, or that there is none yet after a while.
    func outcome(_ secret: String, within limit: Duration) async throws(HostError) -> PageAccess.AskAnswer {
        let end = ContinuousClock.now + limit
        while true {
            let answer = try access.outcome(secret, now: Self.now, date: Self.date)
            switch answer {
            case .waiting:
                guard ContinuousClock.now < end, waiting.count < 16, !Task.isCancelled else { return .waiting }
                let timer = Task {
                    try? await Task.sleep(until: end)
                    self.wake()
                }
                await withCheckedContinuation { waiting.append($0) }
                timer.cancel()
            case .allowed(_, let browser):
                try file.save(access.browsers)
                logger.notice(
                    "A browser may use the page", metadata: ["browser": "\(browser.id)", "role": "\(browser.role)"])
                await report(.browsers(access.browsers))
                return answer
            case .refused: return answer
            }
        }
    }

    private func wake() {
        let woken = waiting
        waiting = []
        for continuation in woken { continuation.resume() }
    }
}
