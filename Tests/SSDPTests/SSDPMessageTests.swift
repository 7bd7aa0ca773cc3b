import Testing

@testable import SSDP

struct SSDPMessageTests {
    private func message(_ lines: String...) throws -> SSDPMessage {
        try SSDPMessage(parsing: lines.map { $0 + "\r\n" }.joined().utf8)
    }

    private func failure(_ text: String) -> SSDPError? {
        do throws(SSDPError) {
            _ = try SSDPMessage(parsing: text.utf8)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("NOTIFY * HTTP/1.1\r\nNTS: ssdp:alive\r\n\r\n", SSDPMessage.Kind.alive),
        ("notify * http/1.0\nnts:SSDP:BYEBYE\n\n", .byebye),
        ("NOTIFY * HTTP/1.1\r\nNts : ssdp:update\r\n", .update),
        ("HTTP/1.1 200 OK\r\n\r\n", .response),
        ("HTTP/1.0 200\n", .response),
        ("M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\n\r\n", .search),
    ])
    func readsStartLine(_ text: String, kind: SSDPMessage.Kind) throws {
        #expect(try SSDPMessage(parsing: text.utf8).kind == kind)
    }

    @Test(arguments: [
        ("", SSDPError.unknownStartLine), ("\r\n", .unknownStartLine), ("GET / HTTP/1.1\r\n", .unknownStartLine),
        ("NOTIFY /x HTTP/1.1\r\n", .unknownStartLine), ("NOTIFY *\r\n", .unknownStartLine),
        ("HTTP/1.1 OK\r\n", .unknownStartLine), ("HTTP/1.1 404 Not Found\r\n", .unsuccessful(status: 404)),
        ("NOTIFY * HTTP/1.1\r\n\r\n", .missingHeader("NTS")),
        ("NOTIFY * HTTP/1.1\r\nNTS: upnp:propchange\r\n\r\n", .invalidHeader("NTS")),
        ("HTTP/1.1 200 OK\r\nA: 1\r\nB C: 2\r\n", .malformedHeader(line: 3)),
        ("HTTP/1.1 200 OK\r\n: 2\r\n", .malformedHeader(line: 2)),
        ("HTTP/1.1 200 OK\r\nA: \u{1b}[2J\r\n", .malformedHeader(line: 2)),
        ("HTTP/1.1 200 OK\r\nA: 1\r\n \u{7f}\r\n", .malformedHeader(line: 3)),
    ])
    func refuses(_ text: String, with error: SSDPError) {
        #expect(failure(text) == error)
    }

    @Test func headersAreTrimmedFoldedAndUpperCase() throws {
        let message = try message(
            "HTTP/1.1 200 OK", "server:  Linux \t UPnP/1.0\t ", "Long: one", "  two", "\tthree ", "EXT", "Ext:",
            "long: other",
            " of the other", "", "after: the end")
        #expect(message.headers == ["SERVER": "Linux \t UPnP/1.0", "LONG": "one two three", "EXT": ""])
    }

    @Test func bytesThatAreNoTextAreReplaced() throws {
        let message = try SSDPMessage(parsing: Array("HTTP/1.1 200 OK\nSERVER: caf".utf8) + [0xe9, 0x0a])
        #expect(message.headers["SERVER"] == "caf\u{fffd}")
    }

    @Test func sizeIsLimited() throws {
        let start = "HTTP/1.1 200 OK\r\nA: "
        let room = SSDPMessage.maximumSize - start.utf8.count
        #expect(failure(start + String(repeating: "x", count: room)) == nil)
        #expect(failure(start + String(repeating: "x", count: room + 1)) == .tooLong(SSDPMessage.maximumSize + 1))
    }

    @Test func numberOfHeadersIsLimited() throws {
        let header = { (count: Int) in
            "HTTP/1.1 200 OK\r\n" + (0..<count).map { "X-\($0): y\r\n" }.joined()
        }
        #expect(try SSDPMessage(parsing: header(64).utf8).headers.count == 64)
        #expect(failure(header(65)) == .tooManyHeaders(65))
    }

    @Test func searchIsReadAsWritten() throws {
        let target = try SSDPTarget("urn:schemas-upnp-org:device:MediaRenderer:1")
        let bytes = SSDPSearch(target: target).datagram(host: "239.255.255.250:1900")
        let message = try SSDPMessage(parsing: bytes)
        #expect(message.kind == .search)
        #expect(message.headers["ST"] == target.text)
        #expect(message.headers["MX"] == "1")
        #expect(message.headers["MAN"] == "\"ssdp:discover\"")
        #expect(message.headers["HOST"] == "239.255.255.250:1900")
        #expect(bytes.suffix(4) == [0x0d, 0x0a, 0x0d, 0x0a])
    }

    @Test(arguments: [(-1, 1), (0, 1), (3, 3), (120, 5)])
    func waitIsClamped(_ wanted: Int, expected: Int) throws {
        #expect(SSDPSearch(target: try SSDPTarget("ssdp:all"), maximumWait: wanted).maximumWait == expected)
    }
}
