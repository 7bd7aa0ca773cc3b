import Foundation
import HostClient
import Testing

extension Product {
    /// Attacks on the page: each is refused, and the daemon is unaffected.
    @Suite struct PageAttackTests {
        @Test func otherPagesNamesTokensAndBodies() async throws {
            try await Household.open { home in
                let browser = try await Browser.enter(home)
                let view = try browser.watch()
                let demo = try await DemoDevice.open(home, "--name", "Target", "--open")
                let device = try await view.device("Target")
                let daemon = home.daemon
                let volume = #"{"device":"\#(device)","level":0.9}"#
                let port = try #require(browser.origin.split(separator: ":").last)

                // A body that doesn't arrive is given up after ten seconds, while the rest is tried.
                async let slow = SlowRequest.run(
                    port: Int(port) ?? 0, host: String(browser.origin.dropFirst(7)))

                // A name of another's that leads here, and another page.
                for host in ["evil.example", "evil.example:\(port)", "127.0.0.1", "127.0.0.1.evil.example:\(port)"] {
                    let read = try await browser.get("/api/events", "Host: \(host)")
                    #expect(read.status == 421, "\(host): \(read)")
                    let sent = try await browser.post(
                        "/api/do/volume", volume, "Host: \(host)", "Origin: http://\(host)")
                    #expect(sent.status == 421, "\(host): \(sent)")
                }
                // The server in the target counts, whatever `Host` says.
                let own = String(browser.origin.dropFirst(7))
                let cookie = try #require(try browser.cookie())
                for target in [
                    "http://evil.example/page/app.js", "http://\(own)/api/state", "HTTP://evil.example/",
                    "ftp:/api/state",
                    "x:", "*", "evil.example:80", "api/state", "http:///api/state",
                ] {
                    let answer = await RawRequest.run(
                        "GET \(target) HTTP/1.1\r\nHost: \(own)\r\nCookie: \(cookie)\r\n\r\n", port: Int(port) ?? 0)
                    #expect(["HTTP/1.1 421", "HTTP/1.1 400"].contains(answer.prefix(12)), "\(target): \(answer)")
                }
                let direct = await RawRequest.run(
                    "GET /api/state HTTP/1.1\r\nHost: \(own)\r\nCookie: \(cookie)\r\n\r\n", port: Int(port) ?? 0)
                #expect(direct.hasPrefix("HTTP/1.1 200"), "the same with a path: \(direct)")
                for field in ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
                    let sent = try await browser.post("/api/do/volume", volume, field)
                    #expect(sent.status == 403 && !sent.head.lowercased().contains("access-control"), "\(sent)")
                }
                let form = try await browser.request(
                    ["-H", "Origin: \(browser.origin)", "-d", volume], "/api/do/volume")
                #expect(form.status == 415, "\(form)")
                let preflight = try await browser.request(
                    ["-X", "OPTIONS", "-H", "Origin: http://evil.example"], "/api/do/volume")
                #expect(preflight.status == 403 && !preflight.head.lowercased().contains("access-control"))

                // Strangers.
                let stranger = Browser(home, origin: browser.origin)
                #expect(try await stranger.get("/api/events").status == 401)
                #expect(try await stranger.get("/api/state").status == 401)
                #expect(try await stranger.post("/api/do/volume", volume).status == 401)
                let guessed = try await stranger.post(
                    "/api/do/volume", volume, "Cookie: mdhost-page=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
                #expect(guessed.status == 401)
                #expect(try await stranger.post("/api/enter", #"{"token":"guessed"}"#).status == 401)
                #expect(try await stranger.post("/api/ask", #"{"name":"x"}"#).status == 403, "on loopback")

                // Sizes.
                let huge = String(repeating: "x", count: 100_000)
                #expect(try await browser.post("/api/do/volume", huge).status == 413)
                let chunked = try await browser.request(
                    [
                        "-H", "Origin: \(browser.origin)", "-H", "Content-Type: application/json", "-H",
                        "Transfer-Encoding: chunked", "--data-binary", huge,
                    ], "/api/do/volume")
                #expect(chunked.status == 413, "\(chunked.head)")
                let fields = (0..<100).map { "X-Field-\($0): 1" }
                let many = try await browser.request(fields.flatMap { ["-H", $0] }, "/")
                #expect([0, 400].contains(many.status), "\(many.head)")
                for path in ["/page/../../etc/passwd", "/page/%2e%2e/x", "/api/artwork/session/..%2F..", "/nothing"] {
                    #expect(try await browser.request(["--path-as-is"], path).status == 404, "\(path)")
                }

                // The headers of the page and its answers allow no use by other sites.
                let page = try await stranger.get("/")
                #expect(page.status == 200 && page.head.contains("default-src 'self'"), "\(page.head)")
                for field in ["frame-ancestors 'none'", "nosniff", "no-referrer"] { #expect(page.head.contains(field)) }

                let slowAnswer = try await slow
                #expect(slowAnswer.hasPrefix("HTTP/1.1 408"), "\(slowAnswer)")
                #expect(try await browser.perform("volume", ["device": device, "level": 0.25]).status == 200)
                try await demo.tells { $0.event == "volume" && $0.level == "vol 25 %" }
                #expect(!demo.told("vol 90 %") && home.daemon == daemon)
                await view.close()
                #expect(await demo.close() == 0)
            }
        }

        @Test func aRevokedBrowserIsOutAtOnce() async throws {
            try await Household.open { home in
                let browser = try await Browser.enter(home)
                let view = try browser.watch()
                try await eventually("a snapshot") { view.state["online"] as? Bool == true }
                let known: [PageBrowserStatus] = try JSONLines.one(try await home.succeed("page", "browsers", "--json"))
                #expect(known.count == 1 && known[0].isConnected && known[0].role == "administrate", "\(known)")
                try await home.succeed("page", "revoke", known[0].id)
                #expect(await view.waitForEnd() == 0)
                #expect(view.events.last?.name == "revoked")
                #expect(try await browser.perform("search").status == 401)
                #expect(try await home.run("page", "revoke", known[0].id).status == 64)
            }
        }

        @Test func fiveHundredStreams() async throws {
            try await Household.open { home in
                let browser = try await Browser.enter(home)
                let view = try browser.watch()
                try await eventually("a snapshot") { view.state["online"] as? Bool == true }
                let daemon = home.daemon
                let statuses = try await ManyStreams.open(500, browser, home)
                #expect(statuses.count { $0 == 200 } == 7, "with the one above: \(statuses)")
                #expect(statuses.allSatisfy { [200, 429, 0].contains($0) })
                #expect(statuses.contains(429))
                try await eventually("an answer") { try await browser.perform("search").status == 200 }
                #expect(home.daemon == daemon && view.state["online"] as? Bool == true)
                await view.close()
            }
        }

        @Test func aBrowserOfTheNetworkMayLookAndNothingMore() async throws {
            try await Household.open { home in
                let opened = try await home.succeed("page", "--lan", "--json")
                struct Opened: Decodable {
                    var addresses: [String]
                    var lan: Bool
                }
                let page: Opened = try JSONLines.one(opened)
                let address = try #require(page.addresses.first { $0.hasPrefix("http://10.77.0.4:") })
                let phone = Browser(home, origin: String(address.dropLast()), host: "a")
                #expect(try await phone.get("/").status == 200)
                #expect(try await phone.get("/api/events").status == 401)
                #expect(try await phone.get("/", "Host: evil.example").status == 421)
                let asked = try await phone.post("/api/ask", #"{"name":"Phone in a"}"#).json
                let (code, secret) = (try #require(asked["code"] as? String), try #require(asked["secret"] as? String))
                async let outcome = phone.post("/api/asked", #"{"secret":"\#(secret)"}"#)
                let waiting: [PageBrowserStatus] = try JSONLines.one(
                    try await home.succeed("page", "browsers", "--json"))
                #expect(waiting.first?.address == "10.77.0.1" && waiting.first?.name == "Phone in a", "\(waiting)")
                #expect(try await home.run("page", "allow", "000 000", "--role", "look").status == 64)
                try await home.succeed("page", "allow", code, "--role", "look")
                #expect(try await outcome.status == 204)
                let view = try phone.watch()
                try await eventually("what it may see") { view.state["role"] as? String == "look" }
                #expect(try await phone.perform("volume", ["device": "x", "level": 1]).status == 403)
                #expect(try await phone.perform("revoke", ["browser": "x"]).status == 403)
                try await home.succeed("page", "revoke", "Phone in a")
                try await eventually("its end") { view.events.last?.name == "revoked" }
                try await home.succeed("page", "--no-lan")
                #expect(try await phone.get("/").status == 0, "nobody listens")
                await view.close()
            }
        }
    }
}
