import Foundation
import Testing

@testable import ReferenceProtocol

struct WireTests {
    /// The lines of PROTOCOL.md, so that the document and the program cannot drift apart.
    @Test func speaksTheDocumentedLines() throws {
        let hello = ReferenceRequest(id: 1, command: .hello(version: 1, client: "desk", token: nil))
        #expect(
            String(decoding: ReferenceLines.encode(hello), as: UTF8.self)
                == #"{"command":{"hello":{"client":"desk","version":1}},"id":1}"# + "\n")
        let documented = try Self.documentedLines()
        #expect(documented.count >= 5)
        for (isRequest, line) in documented {
            let bytes = Array(line.utf8)
            if isRequest {
                let request = try ReferenceLines.decode(ReferenceRequest.self, from: bytes)
                #expect(try Self.same(ReferenceLines.encode(request), bytes))
            } else {
                let message = try ReferenceLines.decode(ReferenceMessage.self, from: bytes)
                #expect(try Self.same(ReferenceLines.encode(message), bytes))
            }
        }
    }

    private static func documentedLines() throws -> [(Bool, String)] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../PROTOCOL.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("→ ") || $0.hasPrefix("← ") }
            .map { ($0.hasPrefix("→"), String($0.dropFirst(2))) }
        let event = text.firstMatch(of: /`(\{"event".*\})`/).map { (false, String($0.1)) }
        return lines + [event].compactMap(\.self)
    }

    private static func same(_ left: [UInt8], _ right: [UInt8]) throws -> Bool {
        let values = try [left, right].map { try JSONSerialization.jsonObject(with: Data($0)) as? NSDictionary }
        return values[0] == values[1]
    }

    @Test(arguments: [
        ReferenceCommand.pair, .answer(code: "1234"), .cancelPairing, .resume, .pause, .stop, .seek(position: 1.5),
        .setSpeed(speed: 2), .scan(speed: -8), .select(list: .audioDescription, option: nil),
        .select(list: .subtitles, option: "ja"), .setVolume(level: 0.5), .changeVolume(steps: -2),
        .setMuted(muted: true), .launch(id: "i", application: "a", url: "b:c"), .send(data: Data([0, 255])),
        .play(id: "i", media: ReferenceMedia(url: "http://h/x", title: "T", duration: 3)),
        .hello(version: 1, client: "c", token: "t"), .clock, .start(position: 1.5, at: 90_210.25),
        .play(id: "i", media: ReferenceMedia(url: "http://h/x", isHeld: true)),
        .receive(
            id: "i",
            live: ReferenceLive(
                title: "T", sound: .init(sampleRate: 48_000, channelCount: 2),
                picture: .init(width: 1280, height: 720, frameRate: 30))), .describe(title: "T", artist: nil),
        .sound(at: 90_210.25, samples: Data([0, 255])), .picture(at: 90_210.25, accessUnit: Data([0, 0, 1, 255])),
    ])
    func everyCommandComesBack(_ command: ReferenceCommand) throws {
        let request = ReferenceRequest(id: 7, command: command)
        var lines = ReferenceLines()
        let taken = try lines.take(ReferenceLines.encode(request))
        #expect(try taken.map { try ReferenceLines.decode(ReferenceRequest.self, from: $0) } == [request])
    }

    @Test func linesAreCutWhereverTheBytesAre() throws {
        var lines = ReferenceLines()
        #expect(try lines.take(Array("{\"a\"".utf8)).isEmpty)
        #expect(try lines.take(Array(":1}\n\n{}\n{".utf8)) == [Array("{\"a\":1}".utf8), Array("{}".utf8)])
    }

    @Test func refusesWhatHasNoEndAndWhatIsNoJSON() {
        var lines = ReferenceLines()
        #expect(throws: ReferenceLines.Failure.lineTooLong) {
            _ = try lines.take(repeatElement(UInt8(ascii: "x"), count: ReferenceLines.longestLine + 1))
        }
        #expect(throws: ReferenceLines.Failure.notUnderstood("HTTP/1.1 200 OK")) {
            try ReferenceLines.decode(ReferenceMessage.self, from: Array("HTTP/1.1 200 OK".utf8))
        }
        #expect(throws: ReferenceLines.Failure.self) {
            try ReferenceLines.decode(ReferenceRequest.self, from: Array(#"{"id":1,"command":{"fly":{}}}"#.utf8))
        }
    }

    @Test func announcementsComeBackAndStrangersArePassedOver() {
        let announcement = ReferenceAnnouncement(
            id: "A-1", authorization: .pin6, volume: .relative, kind: .speaker, canGroup: false,
            live: [.sound, .picture], alsoKnownAs: ["mac:0011223344aa", "upnp:x-1"])
        #expect(ReferenceAnnouncement(txt: announcement.txt) == announcement)
        #expect(ReferenceAnnouncement(txt: ["version": "1", "id": "x"]) == ReferenceAnnouncement(id: "x"))
        #expect(ReferenceAnnouncement(txt: ["version": "2", "id": "x"]) == nil)
        #expect(ReferenceAnnouncement(txt: ["version": "1", "id": "../x"]) == nil)
        #expect(ReferenceAnnouncement(txt: ["version": "1"]) == nil)
    }
}
