import HTTPTypes
import HostInterface
import HostSockets
import Testing

@testable import HostFiles

@Suite struct FileAnswerTests {
    private let facts = OpenedFile.Facts(size: 1000, modified: 784_111_777, tag: "\"abc\"")

    private func answer(_ fields: HTTPFields = [:], method: HTTPRequest.Method = .get, type: String = "video/mp4")
        -> FileAnswer
    {
        FileAnswer(
            to: HTTPRequest(method: method, scheme: nil, authority: nil, path: "/x", headerFields: fields),
            contentType: type, facts: facts)
    }

    @Test(
        arguments: [
            (nil, ByteRange.whole), ("bytes=0-0", .part(0...0)), ("bytes=0-", .part(0...999)),
            ("bytes=999-", .part(999...999)), ("bytes=1000-", .unsatisfiable), ("bytes=-1", .part(999...999)),
            ("bytes=-5000", .part(0...999)), ("bytes=-0", .unsatisfiable), ("bytes=5-2", .whole),
            ("bytes=5-99999999999999999999999", .part(5...999)), ("bytes=99999999999999999999999-", .unsatisfiable),
            ("BYTES = 1 - 2 ", .part(1...2)), ("bytes=0-1,5-6", .whole), ("bytes=", .whole), ("bytes=-", .whole),
            ("bytes=a-b", .whole), ("bytes=+1-2", .whole), ("bytes=1--2", .whole), ("items=0-1", .whole),
            ("0-1", .whole),
        ] as [(String?, ByteRange)])
    func ranges(header: String?, expected: ByteRange) {
        #expect(ByteRange(header: header, size: 1000) == expected)
    }

    @Test func anEmptyFileHasNoRanges() {
        #expect(ByteRange(header: "bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange(header: "bytes=-1", size: 0) == .unsatisfiable)
        #expect(ByteRange(header: nil, size: 0) == .whole)
    }

    @Test func aRangeOfAnotherVersionBecomesTheWhole() {
        #expect(answer([.range: "bytes=0-9", .ifRange: "\"abc\""]).body == 0..<10)
        #expect(answer([.range: "bytes=0-9", .ifRange: "\"old\""]).body == 0..<1000)
        #expect(answer([.range: "bytes=0-9", .ifRange: "Sun, 06 Nov 1994 08:49:37 GMT"]).status == .partialContent)
    }

    @Test func headHasTheHeadersButNoBody() {
        var head = answer(method: .head)
        #expect(head.body == nil)
        head.body = 0..<1000
        #expect(head == answer())
        #expect(answer([.range: "bytes=0-9"], method: .head).headers[.contentLength] == "10")
    }

    @Test func receiversThatAreWebPagesMayReadIt() {
        for answer in [answer(), answer([.range: "bytes=0-9"]), answer(method: .head)] {
            #expect(answer.headers[.accessControlAllowOrigin] == "*")
            #expect(answer.headers[.accessControlExposeHeaders]?.contains("Content-Range") == true)
        }
        #expect(answer(method: .post).headers[.accessControlAllowOrigin] == nil)
        let question = answer(method: .options)
        #expect(question.status == .noContent && question.body == nil && question.headers[.contentLength] == nil)
        #expect(question.headers[.accessControlAllowHeaders] == "Range")
    }

    @Test func picturesAreTransferredInteractively() {
        let fields: HTTPFields = [.getContentFeatures: "1", .transferMode: "INTERACTIVE"]
        let picture = answer(fields, type: "image/jpeg")
        #expect(picture.headers[.contentFeatures]?.contains("FLAGS=00F0") == true)
        #expect(picture.headers[.transferMode] == "Interactive")
        #expect(answer([.transferMode: "nonsense"]).headers[.transferMode] == "Streaming")
    }

    @Test func dates() {
        #expect(HTTPDate.string(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.string(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.string(-1) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.string(.max) == HTTPDate.string(0))
    }
}

@Suite struct FileAddressTests {
    @Test func addresses() throws {
        let v4 = try #require(NumericAddress("10.0.0.5"))
        #expect(v4.urlHost == "10.0.0.5" && v4.text == "10.0.0.5" && v4.scope == 0)
        #expect(NumericAddress("::ffff:10.0.0.5") == v4)
        let v6 = try #require(NumericAddress("fd00::1"))
        #expect(v6.urlHost == "[fd00::1]" && !v6.isLinkLocal)
        let local = try #require(NumericAddress("fe80::1%lo"))
        #expect(local.isLinkLocal && local.scope > 0 && local.text == "fe80::1%lo" && local.urlHost == "[fe80::1]")
        #expect(local != NumericAddress("fe80::1"))
        for text in ["", "localhost", "10.0.0.5:80", "[::1]", "fe80::1%nosuchinterface"] {
            #expect(NumericAddress(text) == nil, "\(text)")
        }
        #expect(NumericAddress("127.0.0.9")?.reachedFrom?.text.hasPrefix("127.") == true)
    }

    @Test func ports() throws {
        #expect(try FilePorts("8200-8209").range == 8200...8209)
        #expect(try FilePorts("8200").range == 8200...8200)
        for text in ["", "0", "8209-8200", "1-65536", "a-b", "1-2-3", "-5", "80,81"] {
            #expect(throws: HostError.self, "\(text)") { try FilePorts(text) }
        }
    }
}
