import HTTPTypes
import Testing

@testable import HostPage

/// The accepted requests: the matrix of `Host`, `Origin`, `Sec-Fetch-Site` and the content type.
@Suite struct RequestRulesTests {
    private let rules = RequestRules(names: ["127.0.0.1", "[::1]", "localhost", "mdhost-x.localhost"], port: 8470)

    private func request(
        _ method: HTTPRequest.Method, _ path: String = "/", host: String? = "127.0.0.1:8470",
        _ fields: [String: String] = [:]
    ) -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: "http", authority: host, path: path)
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { request.headerFields[name] = value }
        }
        return request
    }

    @Test(arguments: [
        "127.0.0.1:8470", "[::1]:8470", "localhost:8470", "LOCALHOST:8470", "mdhost-x.localhost:8470",
    ])
    func ourNamesAreServed(host: String) {
        #expect(rules.refusal(of: request(.get, host: host)) == nil)
    }

    @Test(
        arguments: [
            nil, "", "127.0.0.1", "127.0.0.1:80", "127.0.0.2:8470", "evil.example:8470", "evil.example",
            "127.0.0.1:8470.evil.example", "127.0.0.1.evil.example:8470", "localhost.:8470", "[::1]", "::1:8470",
            "mdhost-y.localhost:8470", "127.0.0.1:8470 evil",
        ] as [String?])
    func otherNamesAreMisdirected(host: String?) {
        for method in [HTTPRequest.Method.get, .post] {
            // An origin with the attacker's own name doesn't make the host valid.
            let origin = ["Origin": "http://\(host ?? "")", "Content-Type": "application/json"]
            #expect(rules.refusal(of: request(method, "/api/events", host: host, origin)) == .misdirected)
        }
    }

    @Test func thePageItselfMaySend() {
        let json = ["Content-Type": "application/json; charset=utf-8"]
        let own = ["Origin": "http://127.0.0.1:8470"]
        let site = ["Sec-Fetch-Site": "same-origin"]
        for fields in [own, site, own.merging(site) { $1 }] {
            #expect(rules.refusal(of: request(.post, "/api/do/play", json.merging(fields) { $1 })) == nil)
        }
        #expect(rules.refusal(of: request(.get, "/api/events", site)) == nil)
    }

    @Test(arguments: [
        ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1:9999"],
        ["Origin": "https://127.0.0.1:8470"], ["Origin": "http://localhost:8470"], ["Origin": "http://127.0.0.1"],
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"], [:],
        ["Origin": "http://127.0.0.1:8470", "Sec-Fetch-Site": "cross-site"],
    ])
    func otherPagesMayNotSend(fields: [String: String]) {
        let json = fields.merging(["Content-Type": "application/json"]) { $1 }
        #expect(rules.refusal(of: request(.post, "/api/do/play", json)) == .foreignOrigin)
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonp",
    ])
    func onlyJSONIsTaken(type: String) {
        let fields = ["Origin": "http://127.0.0.1:8470", "Content-Type": type]
        #expect(rules.refusal(of: request(.post, "/api/do/play", fields)) == .notJSON)
    }

    @Test func anUploadNeedsTheFieldThatOtherPagesCannotSend() {
        let own = ["Origin": "http://127.0.0.1:8470", "Content-Type": "video/mp4"]
        #expect(rules.refusal(of: request(.post, "/api/upload", own), takesBytes: true) == .notJSON)
        let marked = own.merging(["X-Mdhost-Page": "1"]) { $1 }
        #expect(rules.refusal(of: request(.post, "/api/upload", marked), takesBytes: true) == nil)
        let foreign = marked.merging(["Origin": "http://evil.example"]) { $1 }
        #expect(rules.refusal(of: request(.post, "/api/upload", foreign), takesBytes: true) == .foreignOrigin)
    }

    @Test func aLinkOnAnotherPageLeadsToThePageAndToNothingElse() {
        let visit = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
        #expect(rules.refusal(of: request(.get, "/", visit)) == nil)
        #expect(rules.refusal(of: request(.get, "/api/events", visit)) == .foreignOrigin)
        let embedded = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]
        #expect(rules.refusal(of: request(.get, "/page/app.js", embedded)) == .foreignOrigin)
    }
}
