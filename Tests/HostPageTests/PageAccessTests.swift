import HostInterface
import Testing

@testable import HostPage

/// Tokens, cookies, roles, and browsers that ask.
@Suite struct PageAccessTests {
    /// The code of the error of a request; `nil` if there is none.
    private func failure(_ request: () throws -> Void) -> HostError.Code? {
        do {
            try request()
            return nil
        } catch {
            return (error as? HostError)?.code
        }
    }

    @Test func aTokenLetsOneBrowserInOnce() throws {
        var access = PageAccess()
        let token = access.makeToken(picker: PagePicker(application: "org.example.film", name: "Film"), now: 0)
        let guesses = [access.take("guessed", now: 1), access.take("", now: 1)]
        let taken = access.take(token, now: 1)
        let again = access.take(token, now: 1)
        #expect(guesses.allSatisfy { $0 == nil } && again == nil)
        #expect(taken?.role == .administrate && taken?.picker?.name == "Film")
    }

    @Test func aTokenIsShortLivedAndThereAreFew() {
        var access = PageAccess()
        let old = access.makeToken(now: 0)
        let late = access.take(old, now: PageAccess.tokenLifetime)
        #expect(late == nil)
        let first = access.makeToken(now: 200)
        let others = (0..<16).map { access.makeToken(now: 201 + Double($0)) }
        let oldest = access.take(first, now: 220)
        #expect(oldest == nil, "it made room")
        var taken = 0
        for token in others where access.take(token, now: 220) != nil { taken += 1 }
        #expect(taken == 16)
    }

    @Test func onlyTheHashOfACookieIsKept() throws {
        var access = PageAccess()
        let (cookie, browser) = try access.add("Firefox on Linux", role: .control, date: 7)
        #expect(access.browser(cookie: cookie) == browser && browser.role == .control)
        #expect(access.browser(cookie: browser.cookieHash) == nil && access.browser(cookie: browser.id) == nil)
        #expect(!"\(access.browsers)".contains(cookie) && cookie.utf8.count == 43)
    }

    @Test func aRevokedBrowserIsNotKnownAnyMore() throws {
        var access = PageAccess()
        let (cookie, browser) = try access.add("Phone", role: .look, date: 0)
        let (other, _) = try access.add("Phone", role: .look, date: 0)
        let failures = [failure { _ = try access.revoke("Phone") }, failure { _ = try access.revoke("Tablet") }]
        #expect(failures == [.ambiguousName, .invalidArgument])
        let revoked = try access.revoke(browser.id)
        #expect(revoked == browser)
        #expect(access.browser(cookie: cookie) == nil && access.browser(cookie: other) != nil)
        let last = try access.revoke("phone")
        #expect(last.name == "Phone", "the only one of that name")
    }

    @Test func thereIsABoundOfBrowsers() throws {
        var access = PageAccess()
        for number in 0..<64 { _ = try access.add("Browser \(number)", role: .look, date: 0) }
        let refused = failure { _ = try access.add("One more", role: .look, date: 0) }
        #expect(refused == .limitExceeded)
    }

    @Test func aBrowserOfTheNetworkIsAcceptedByItsCode() throws {
        var access = PageAccess()
        let asked = try access.ask("Firefox on phone", from: "10.0.0.7", now: 0)
        #expect(asked.code.utf8.count == 6 && asked.code.allSatisfy(\.isNumber))
        let early = [
            try access.outcome(asked.secret, now: 1, date: 1), try access.outcome("guessed", now: 1, date: 1),
        ]
        #expect(early == [.waiting, .refused])
        let wrong = asked.code == "000000" ? "000001" : "000000"
        let failed = failure { _ = try access.decide(wrong, .control, now: 1) }
        #expect(failed == .invalidArgument)
        let spaced = asked.code.prefix(3) + " " + asked.code.suffix(3)
        let decided = try access.decide(String(spaced), .look, now: 2)
        #expect(decided.name == "Firefox on phone")
        guard case .allowed(let cookie, let browser) = try access.outcome(asked.secret, now: 3, date: 3) else {
            Issue.record("not allowed")
            return
        }
        #expect(browser.role == .look && access.browser(cookie: cookie) == browser)
        let again = try access.outcome(asked.secret, now: 4, date: 4)
        #expect(again == .refused, "one cookie for one code")
    }

    @Test func aCodeIsRefusedOrTooOld() throws {
        var access = PageAccess()
        let refused = try access.ask("A", from: "10.0.0.7", now: 0)
        _ = try access.decide(refused.code, nil, now: 1)
        let first = try access.outcome(refused.secret, now: 2, date: 2)
        let old = try access.ask("B", from: "10.0.0.7", now: 0)
        let failed = failure { _ = try access.decide(old.code, .control, now: PageAccess.askLifetime) }
        let second = try access.outcome(old.secret, now: PageAccess.askLifetime, date: 0)
        #expect([first, second] == [.refused, .refused] && failed == .invalidArgument)
    }

    @Test func oneAddressCannotAskForEverybody() throws {
        var access = PageAccess()
        for _ in 0..<2 { _ = try access.ask("A", from: "10.0.0.7", now: 0) }
        let third = failure { _ = try access.ask("A", from: "10.0.0.7", now: 0) }
        for address in 0..<6 { _ = try access.ask("A", from: "10.0.1.\(address)", now: 0) }
        let ninth = failure { _ = try access.ask("A", from: "10.0.2.1", now: 0) }
        #expect(third == .limitExceeded && ninth == .limitExceeded)
        _ = try access.ask("A", from: "10.0.0.7", now: PageAccess.askLifetime + 1)
    }

    @Test func namesAreShortTextsWithoutControlCharacters() throws {
        var access = PageAccess()
        let name = "\u{202E}<b>Evil\u{7}\u{0}\n name</b>" + String(repeating: "x", count: 500)
        let browser = try access.add(name, role: .look, date: 0).browser
        #expect(browser.name.hasPrefix("<b>Evil name</b>") && browser.name.count <= 60)
        let nameless = try access.add(" \n", role: .look, date: 0).browser
        #expect(nameless.name == "Browser")
    }

    @Test func rolesIncludeThoseBefore() {
        #expect(PageRole.look < .control && .control < PageRole.administrate)
        #expect(PageCommands.all["volume"]?.role == .control && PageCommands.all["revoke"]?.role == .administrate)
        #expect(PageCommands.all.values.allSatisfy { $0.role >= .look })
    }

    @Test func comparisonsNeedTheSameText() {
        #expect(PageSecret.isEqual("abc", "abc") && !PageSecret.isEqual("abc", "abd"))
        #expect(!PageSecret.isEqual("abc", "ab") && !PageSecret.isEqual("", "a"))
        #expect(PageSecret.hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func aBucketRefillsOverTime() {
        var rate = RateLimit(capacity: 2, perSecond: 1, now: 0)
        var taken: [Bool] = []
        for time in [0, 0, 0.5, 1.1, 1.2] { taken.append(rate.take(now: time)) }
        #expect(taken == [true, true, false, true, false])
        #expect(!rate.isFull(now: 1.2) && rate.isFull(now: 9))
    }
}
