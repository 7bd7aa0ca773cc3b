import AirPlayProtocol
import Testing

struct RTSPTests {
    static let conversation = """
        RTSP/1.0 200 OK\r
        CSeq: 1\r
        Server: AirTunes/105.1\r
        Public: ANNOUNCE, SETUP, RECORD, PAUSE, FLUSH, TEARDOWN, OPTIONS, GET_PARAMETER, SET_PARAMETER\r
        \r
        RTSP/1.0 200 OK\r
        CSeq: 2\r
        Content-Type: text/parameters\r
        Content-Length: 20\r
        \r
        volume: -15.000000\r
        RTSP/1.0 401 Unauthorized\r
        CSeq: 3\r
        WWW-Authenticate: Digest realm="raop", nonce="gJjXLFNMZV7IzlWjbaLUsQ"\r
        \r

        """

    private static func parse(_ bytes: [UInt8], by size: Int) throws -> [RTSPResponse] {
        var parser = RTSPParser<RTSPResponse>()
        var responses: [RTSPResponse] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            parser.append(bytes[start..<min(bytes.count, start + size)])
            while let response = try parser.next() { responses.append(response) }
        }
        return responses
    }

    @Test(arguments: [1, 2, 7, 100, 10_000]) func readsResponsesHoweverTheyAreCut(size: Int) throws {
        let responses = try Self.parse(Array(Self.conversation.utf8), by: size)
        #expect(responses.map(\.status) == [200, 200, 401])
        #expect(responses.map(\.sequenceNumber) == [1, 2, 3])
        #expect(responses[1].body == Array("volume: -15.000000\r\n".utf8))
        #expect(responses[2].headers["www-authenticate"]?.hasPrefix("Digest") == true)
    }

    @Test(arguments: [
        "HELLO\r\n\r\n", "RTSP/1.0 OK 200\r\n\r\n", "RTSP/1.0 20 OK\r\n\r\n", "RTSP/1.0 200 OK\r\nnonsense\r\n\r\n",
        "RTSP/1.0 200 OK\r\nContent-Length: -4\r\n\r\n", "RTSP/1.0 200 OK\r\nContent-Length: 1e3\r\n\r\n",
        "RTSP/1.0 200 OK\r\n: x\r\n\r\n",
    ])
    func refusesWhatIsNoResponse(text: String) {
        #expect(throws: AirPlayError.self) { try Self.parse(Array(text.utf8), by: 1000) }
    }

    @Test func refusesWhatIsTooLarge() {
        let head = "RTSP/1.0 200 OK\r\nX: " + String(repeating: "x", count: 20_000)
        #expect(throws: AirPlayError.tooLarge("a head")) { try Self.parse(Array(head.utf8), by: 1000) }
        let body = "RTSP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n"
        #expect(throws: AirPlayError.tooLarge("a body")) { try Self.parse(Array(body.utf8), by: 1000) }
    }

    @Test func aTitleAddsNoHeader() {
        let request = RTSPRequest("SET_PARAMETER", "rtsp://a/1", headers: ["X": "a\r\nY: b"], body: [65])
        #expect(
            String(decoding: request.encoded, as: UTF8.self)
                == "SET_PARAMETER rtsp://a/1 RTSP/1.0\r\nX: a  Y: b\r\nContent-Length: 1\r\n\r\nA")
    }

    /// RFC 2617 §3.5, and the same without `qop` by RFC 2069's formula.
    @Test func provesThePassword() throws {
        let challenge =
            #"Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
        var digest = try DigestAuthentication(challenge: challenge)
        let header = digest.authorization(
            method: "GET", uri: "/dir/index.html", user: "Mufasa", password: "Circle Of Life", clientNonce: "0a4f113b")
        #expect(header.contains(#"response="6629fae49393a05397450978507c4ef1""#))
        #expect(header.contains("nc=00000001"))
        var plain = try DigestAuthentication(
            challenge: #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#)
        let older = plain.authorization(
            method: "GET", uri: "/dir/index.html", user: "Mufasa", password: "Circle Of Life", clientNonce: "")
        #expect(older.contains(#"response="670fd8c2df070c60b045671b8b24ff02""#))
        #expect(!older.contains("nc="))
    }

    @Test(arguments: [
        "Basic realm=\"x\"", "Digest realm=\"x\"", "Digest realm=\"x\", nonce=\"y\", algorithm=SHA-256", "",
    ])
    func refusesUnknownChallenges(challenge: String) {
        #expect(throws: AirPlayError.unknownAuthentication(challenge)) {
            try DigestAuthentication(challenge: challenge)
        }
    }
}
