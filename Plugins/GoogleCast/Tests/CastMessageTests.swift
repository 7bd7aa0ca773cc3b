import Foundation
import GoogleCastProtocol
import Testing

struct CastMessageTests {
    private let ping = CastMessage(
        from: "sender-0", to: "receiver-0", namespace: CastNames.heartbeat, payload: .text(#"{"type":"PING"}"#))

    /// As pychromecast 9.4 encodes it, with Google's own library.
    private let reference: [UInt8] = [
        0x08, 0x00, 0x12, 0x08, 0x73, 0x65, 0x6E, 0x64, 0x65, 0x72, 0x2D, 0x30, 0x1A, 0x0A, 0x72, 0x65, 0x63, 0x65,
        0x69,
        0x76, 0x65, 0x72, 0x2D, 0x30, 0x22, 0x27,
    ]

    @Test func theEncodingIsThatOfProtocolBuffers() throws {
        let rest = Array(CastNames.heartbeat.utf8) + [0x28, 0x00, 0x32, 0x0F] + Array(#"{"type":"PING"}"#.utf8)
        #expect(ping.encoded == reference + rest)
        #expect(try CastMessage(reference + rest) == ping)
    }

    @Test func fieldsOfAnyOrderAndUnknownFieldsAreRead() throws {
        let unknown: [UInt8] = [0x50, 0xFF, 0x01, 0x59, 1, 2, 3, 4, 5, 6, 7, 8, 0x62, 0x02, 1, 2, 0x6D, 1, 2, 3, 4]
        #expect(try CastMessage(unknown + ping.encoded + unknown) == ping)
        let binary = CastMessage(from: "a", to: "b", namespace: "c", payload: .binary([1, 2, 255]))
        #expect(try CastMessage(binary.encoded) == binary)
        let long = CastMessage(from: "a", to: "b", namespace: "c", payload: .text(String(repeating: "ü", count: 5000)))
        #expect(try CastMessage(long.encoded) == long)
    }

    @Test(arguments: [[], [0x12], [0x12, 0x05, 1], [0x12, 0x80], [0x00, 0x00], [0x0B], [0x11, 1]] as [[UInt8]])
    func damagedBytesAreRefused(_ bytes: [UInt8]) {
        #expect(throws: CastMessage.Failure.malformed) { try CastMessage(bytes) }
        #expect(throws: CastMessage.Failure.malformed) {
            try CastMessage(bytes + Array(repeating: 0xFF, count: 12))
        }
    }

    @Test func partsOfMessagesAreRefused() {
        #expect(throws: CastMessage.Failure.chunked) { try CastMessage(ping.encoded + [0x40, 0x01]) }
    }

    @Test func framesArriveInPiecesOfAnySize() throws {
        let frame = try #require(CastFrames.encode(ping))
        #expect(frame.count == 4 + ping.encoded.count && Array(frame.prefix(4)) == [0, 0, 0, 84])
        for size in 1...frame.count {
            var frames = CastFrames()
            var found: [CastMessage] = []
            var rest = (frame + frame + frame)[...]
            while !rest.isEmpty {
                found += try frames.append(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(found == [ping, ping, ping])
        }
    }

    @Test func aFrameIsBounded() {
        var frames = CastFrames()
        #expect(throws: CastFrames.Failure.tooLong) { try frames.append([0, 1, 0, 1]) }
        var other = CastFrames()
        #expect(throws: CastFrames.Failure.tooLong) { try other.append(Array("HTTP/1.1 400".utf8)) }
        var empty = CastFrames()
        #expect(throws: CastFrames.Failure.malformed) { try empty.append([0, 0, 0, 0]) }
        let large = CastMessage(
            from: "a", to: "b", namespace: "c", payload: .text(String(repeating: "x", count: CastFrames.longest)))
        #expect(CastFrames.encode(large) == nil)
    }
}
