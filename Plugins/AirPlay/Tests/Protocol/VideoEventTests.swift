import AirPlayProtocol
import Foundation
import Testing

struct VideoEventTests {
    /// As Kodi 20.1 writes it.
    private static func event(_ state: String, category: String = "video") -> String {
        let body = """
            <?xml version="1.0" encoding="UTF-8"?>\n\r
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n\r
            <plist version="1.0">\r
            <dict>\r
            <key>category</key>\r
            <string>\(category)</string>\r
            <key>sessionID</key>\r
            <integer>2</integer>\r
            <key>state</key>\r
            <string>\(state)</string>\r
            </dict>\r
            </plist>\r

            """
        return "POST /event HTTP/1.1\r\nContent-Type: text/x-apple-plist+xml\r\nContent-Length: \(body.utf8.count)\r\n"
            + "x-apple-session-id: S\r\n\r\n\(body)"
    }

    private static func answer(_ status: String, version: String = "HTTP/1.1", number: String = "") -> [UInt8] {
        Array("\(version) \(status)\r\n\(number)Content-Length: 0\r\n\r\n".utf8)
    }

    private static let conversation: [UInt8] = Array(
        (event("loading") + event("playing") + event("slides", category: "photo") + "GET /event HTTP/1.1\r\n\r\n"
            + "POST /command RTSP/1.0\r\nCSeq: 4\r\nContent-Length: 3\r\n\r\nabc"
            + "POST /event HTTP/1.1\r\nContent-Length: 4\r\n\r\n<xml" + event("stopped")).utf8)

    private static let actions: [ReverseConnectionMachine.Action] = [
        .send(answer("200 OK")), .event(VideoEvent(.loading, session: "S")),
        .send(answer("200 OK")), .event(VideoEvent(.playing, session: "S")),
        .send(answer("200 OK")), .send(answer("405 Method Not Allowed")),
        .send(answer("404 Not Found", version: "RTSP/1.0", number: "CSeq: 4\r\n")), .send(answer("400 Bad Request")),
        .send(answer("200 OK")), .event(VideoEvent(.stopped, session: "S")),
    ]

    @Test func everyRequestIsAnsweredHoweverTheyAreCut() {
        for cut in 0...Self.conversation.count {
            var machine = ReverseConnectionMachine()
            let first = machine.received(Self.conversation[..<cut])
            #expect(first + machine.received(Self.conversation[cut...]) == Self.actions, "cut at \(cut)")
        }
        var machine = ReverseConnectionMachine()
        #expect(Self.conversation.flatMap { machine.received([$0]) } == Self.actions)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n\r\n", AirPlayError.malformed("“HTTP/1.1 200 OK” is no request line")),
        ("POST /event\r\n\r\n", .malformed("“POST /event” is no request line")),
        ("POST  HTTP/1.1\r\n\r\n", .malformed("“POST  HTTP/1.1” is no request line")),
        ("POST /event HTTP/1.1\r\nnonsense\r\n\r\n", .malformed("“nonsense” is no header")),
        ("POST /event HTTP/1.1\r\nContent-Length: -1\r\n\r\n", .malformed("“-1” is no length")),
        ("POST /event HTTP/1.1\r\nContent-Length: 65537\r\n\r\n", .tooLarge("a body")),
        ("POST /event HTTP/1.1\r\nX: " + String(repeating: "x", count: 20_000), .tooLarge("a head")),
    ])
    func whatIsNoRequestEndsTheConnection(text: String, error: AirPlayError) {
        var machine = ReverseConnectionMachine()
        let actions = machine.received(Array((Self.event("paused") + text).utf8))
        #expect(
            actions == [
                .send(Self.answer("200 OK")), .event(VideoEvent(.paused, session: "S")), .close(error),
            ])
        #expect(machine.isClosed && machine.received(Array(Self.event("playing").utf8)).isEmpty)
    }

    @Test func readsWhatReceiversTell() throws {
        func event(_ values: [String: Any]) throws -> VideoEvent? {
            let list = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            return try VideoEvent(Array(list), session: "s")
        }
        let error: [String: Any] = ["domain": "NSURLErrorDomain", "code": -1100]
        #expect(
            try event(["category": "video", "state": "stopped", "reason": "error", "error": error])
                == VideoEvent(.stopped, session: "s", failure: "NSURLErrorDomain -1100"))
        #expect(try event(["state": "paused"]) == VideoEvent(.paused, session: "s"))
        for unknown: [String: Any] in [
            [:], ["state": "dancing"], ["state": 1], ["category": "slideshow", "state": "playing"],
            ["type": "unhandledURLResponse"],
        ] {
            #expect(try event(unknown) == nil)
        }
        for wrong in ["", "nonsense", "<plist><array/></plist>"] {
            #expect(throws: AirPlayError.malformed("an event that is no property list")) {
                try VideoEvent(Array(wrong.utf8))
            }
        }
        #expect(throws: AirPlayError.tooLarge("an event")) {
            try VideoEvent([UInt8](repeating: 32, count: VideoEvent.limit + 1))
        }
    }

    @Test func asksToBeTold() {
        #expect(
            String(decoding: VideoRequests(session: "S").reverse.encoded, as: UTF8.self)
                == "POST /reverse HTTP/1.1\r\nUser-Agent: MediaControl/1.0\r\nX-Apple-Session-ID: S\r\n"
                + "Upgrade: PTTH/1.0\r\nConnection: Upgrade\r\nX-Apple-Purpose: event\r\nContent-Length: 0\r\n\r\n")
    }
}
