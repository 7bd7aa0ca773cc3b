import Testing

@testable import MulticastDNS

struct DNSMessageTests {
    private let name = DNSName(instance: "Open Room[7]", type: "_mpd._tcp", domain: "local")

    /// An answer with a question, a service record whose names point back, and its host's address.
    private func answer(identifier: UInt16 = 7, flags: UInt16 = 0x8400) throws -> [UInt8] {
        let name = try #require(name)
        var bytes = DNSMessage.query(name, .service, identifier: identifier)
        bytes[2] = UInt8(flags >> 8)
        bytes[3] = UInt8(truncatingIfNeeded: flags)
        bytes[7] = 1
        bytes[11] = 2
        let rest: [UInt8] = [
            0xc0, 12, 0, 33, 0x80, 1, 0, 0, 0, 10, 0, 14, 0, 0, 0, 0, 0x19, 0xc9, 5, 104, 111, 115, 116, 99, 0xc0, 35,
        ]
        bytes += rest
        let host = bytes.count - 8
        bytes += [0xc0, UInt8(host), 0, 1, 0x80, 1, 0, 0, 0, 10, 0, 4, 10, 77, 0, 3]
        bytes += [0xc0, 12, 0, 16, 0x80, 1, 0, 0, 0, 10, 0, 6, 3, 97, 61, 98, 1, 99]
        return bytes
    }

    @Test func aQueryIsTheBytesOfTheSpecification() throws {
        let bytes = DNSMessage.query(try #require(DNSName("_mpd._tcp.local.")), .pointer, identifier: 0x0102)
        let question =
            [4] + Array("_mpd".utf8) + [4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0, 0, 12, 0, 1]
        #expect(bytes == [1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + question)
    }

    @Test func compressedNamesAreReadWithTheirRecords() throws {
        let name = try #require(name)
        let host = try #require(DNSName("hostc.local"))
        let records = DNSMessage.records(try answer(), answering: 7)
        #expect(
            records == [
                DNSRecord(name: name, content: .service(host: host, port: 6_601)),
                DNSRecord(name: host, content: .address([10, 77, 0, 3])),
                DNSRecord(name: name, content: .text([Array("a=b".utf8), Array("c".utf8)])),
            ])
    }

    @Test func whatIsNoAnswerToTheQuestionIsNone() throws {
        #expect(DNSMessage.records(try answer(), answering: 8) == nil)
        #expect(DNSMessage.records(try answer(flags: 0), answering: 7) == nil, "a query")
        #expect(DNSMessage.records(try answer(flags: 0x8003), answering: 7) == nil, "no such name")
        #expect(DNSMessage.records([], answering: 7) == nil)
    }

    /// Any host on the network can send anything.
    @Test func everyCutAndEveryFlippedByteIsSurvived() throws {
        let whole = try answer()
        for count in 0..<whole.count { #expect(DNSMessage.records(Array(whole[..<count]), answering: 7) == nil) }
        for index in whole.indices {
            for value: UInt8 in [0, 0x3f, 0x40, 0xc0, 0xff] {
                var bytes = whole
                bytes[index] = value
                _ = DNSMessage.records(bytes, answering: 7)
            }
        }
    }

    @Test func namesIgnoreCaseAndKnowTheirLimits() {
        #expect(DNSName("_MPD._tcp.Local") == DNSName("_mpd._tcp.local"))
        #expect(DNSName("") == nil)
        #expect(DNSName("a..b") == nil)
        #expect(DNSName(instance: String(repeating: "x", count: 64), type: "_a._tcp", domain: "") == nil)
        #expect(DNSName(labels: Array(repeating: Array("twelve-bytes".utf8), count: 20)) == nil)
        #expect(DNSName(instance: "a.b", type: "_a._tcp", domain: "local")?.labels.first == Array("a.b".utf8))
    }
}
