import DeviceConnections
import MPDProtocol
import Testing

struct MPDParserTests {
    static let conversation = """
        OK MPD 0.23.5
        volume: 30
        state: play
        error: Failed to decode http://10.0.0.2/a: b; CURL failed
        OK
        list_OK
        Id: 7
        list_OK
        OK
        ACK [50@1] {playid} No such song
        OK

        """

    static let events: [MPDParser.Event] = [
        .greeting(MPDVersion(0, 23, 5)),
        .reply(
            MPDReply(parts: [
                .init(fields: [
                    .init("volume", "30"), .init("state", "play"),
                    .init("error", "Failed to decode http://10.0.0.2/a: b; CURL failed"),
                ])
            ])),
        .reply(MPDReply(parts: [.init(), .init(fields: [.init("Id", "7")])])),
        .refusal(MPDRefusal(code: .noExist, index: 1, command: "playid", text: "No such song")),
        .reply(MPDReply(parts: [.init()])),
    ]

    private static func isForeign(_ error: any Error) -> Bool {
        guard case .malformed(let reason)? = error as? TransportFailure else { return false }
        return reason.hasPrefix("it isn't an MPD server")
    }

    @Test(arguments: [1, 2, 3, 7, 64, 4096])
    func readsAConversationInPiecesOfAnySize(size: Int) throws {
        #expect(try Self.parse(Array(Self.conversation.utf8), pieces: size) == Self.events)
    }

    @Test(arguments: [1, 5, 4096])
    func readsBinaryDataThatLooksLikeLines(size: Int) throws {
        let chunk = Array("OK\nACK [1@0] {} x\n".utf8) + [0, 255, 10]
        let bytes =
            Array("OK MPD 0.22.0\nsize: 21\ntype: image/png\nbinary: \(chunk.count)\n".utf8) + chunk
            + Array("\nOK\n".utf8)
        let events = try Self.parse(bytes, pieces: size)
        guard case .reply(let reply) = events.last else {
            Issue.record("no reply")
            return
        }
        #expect(events.count == 2)
        #expect(reply.first.binary == chunk)
        #expect(reply.first["type"] == "image/png")
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 400 Bad Request\r\n", "OK MPD \n", "OK MPD x.y\n", "\n", "OK\n",
    ])
    func refusesAGreetingThatIsNone(line: String) {
        var parser = MPDParser()
        parser.append(Array(line.utf8))
        #expect { try parser.next() } throws: { Self.isForeign($0) }
    }

    @Test func showsOnlyPrintableTextOfAForeignGreeting() {
        var parser = MPDParser()
        parser.append(Array("\u{1B}[31mhello\u{7}\n".utf8))
        let failure = TransportFailure.malformed("it isn't an MPD server, it said “·[31mhello·”")
        #expect(throws: failure) { try parser.next() }
    }

    @Test(arguments: ["no colon here\n", ": no key\n", "key:novalue\n", "k y: v\n", "ACK oops\n", "ACKNOWLEDGED\n"])
    func refusesLinesThatAreNoAnswer(line: String) throws {
        var parser = MPDParser()
        parser.append(Array(("OK MPD 0.23.0\n" + line).utf8))
        #expect(try parser.next() == .greeting(MPDVersion(0, 23)))
        let first = try #require(throws: TransportFailure.self) { try parser.next() }
        guard case .malformed = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        parser.append(Array("OK\n".utf8))
        #expect(throws: first) { try parser.next() }
    }

    @Test(arguments: ["binary: -1\n", "binary: 99999999999999999999\n", "binary: x\n", "binary: 1\nabOK\n"])
    func refusesBinaryLengthsThatCannotBe(text: String) throws {
        var parser = MPDParser()
        parser.append(Array(("OK MPD 0.23.0\n" + text).utf8))
        _ = try parser.next()
        #expect(throws: TransportFailure.self) { while try parser.next() != nil {} }
    }

    @Test func boundsLinesResponsesAndBinaryData() throws {
        var limits = MPDLimits()
        limits.line = 100
        limits.response = 300
        limits.binary = 50
        for (text, what) in [
            (String(repeating: "a", count: 101), "a line"),
            ("k: " + String(repeating: "a", count: 98) + "\n", "a line"),
            (String(repeating: "key: " + String(repeating: "a", count: 90) + "\n", count: 4), "a response"),
            ("binary: 51\n", "binary data"),
        ] {
            var parser = MPDParser(limits: limits)
            parser.append(Array(("OK MPD 0.23.0\n" + text).utf8))
            _ = try parser.next()
            #expect(throws: TransportFailure.tooLarge(what)) { while try parser.next() != nil {} }
        }
    }

    @Test func boundsAGreetingThatNeverEnds() {
        var parser = MPDParser()
        for _ in 0..<20 { parser.append(Array(repeating: UInt8(ascii: "x"), count: 4096)) }
        #expect { try parser.next() } throws: { Self.isForeign($0) }
    }

    @Test func countsEachResponseAlone() throws {
        var limits = MPDLimits()
        limits.response = 100
        var parser = MPDParser(limits: limits)
        parser.append(Array("OK MPD 0.23.0\n".utf8))
        _ = try parser.next()
        for _ in 0..<50 {
            parser.append(Array("state: stop\nOK\n".utf8))
            #expect(try parser.next() != nil)
        }
    }

    @Test func repairsTextThatIsNoUTF8() throws {
        let events = try Self.parse(
            Array("OK MPD 0.23.0\nTitle: ".utf8) + [0xFF, 0xFE] + Array("\nOK\n".utf8), pieces: 100)
        #expect(events.last == .reply(MPDReply(parts: [.init(fields: [.init("Title", "\u{FFFD}\u{FFFD}")])])))
    }

    static func parse(_ bytes: [UInt8], pieces: Int) throws -> [MPDParser.Event] {
        var parser = MPDParser()
        var events: [MPDParser.Event] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            parser.append(bytes[start..<min(bytes.count, start + pieces)])
            while let event = try parser.next() { events.append(event) }
        }
        return events
    }
}
