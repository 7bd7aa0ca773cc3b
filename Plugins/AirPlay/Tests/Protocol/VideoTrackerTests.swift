import Foundation
import Testing

@testable import AirPlayProtocol

struct VideoTrackerTests {
    private static func tracker(_ information: [(Double, PlaybackInformation)]) -> VideoTracker {
        var tracker = VideoTracker(now: 0)
        for (time, information) in information { tracker.apply(information, at: time) }
        return tracker
    }

    private static func plays(_ position: Double, rate: Double = 1) -> PlaybackInformation {
        PlaybackInformation(duration: 100, position: position, rate: rate)
    }

    @Test func aPositionIsToldOnlyWhereItJumps() {
        var tracker = Self.tracker([(1, .nothing), (2, Self.plays(0.5))])
        let begun = tracker.position
        #expect(tracker.phase == .playing && begun == .init(value: 0.5, time: 2, rate: 1))
        tracker.apply(Self.plays(4.2), at: 6)
        #expect(tracker.position == begun, "0.3 s off is where it was expected")
        tracker.apply(Self.plays(50), at: 7)
        #expect(tracker.position == .init(value: 50, time: 7, rate: 1))
        #expect(tracker.place(at: 1000) == 100, "not beyond the end")
    }

    /// A new connection at times gets the report that the receiver is idle, and a moment later the media.
    @Test func whatIsTakenUpAgainIsOverOnlyIfItIsSaidRepeatedly() {
        var tracker = VideoTracker(now: 0, isAdopted: true)
        for time in [0, 0.25, 0.5, 2.75] { tracker.apply(.nothing, at: time) }
        #expect(tracker.phase == .loading)
        var over = tracker
        over.apply(.nothing, at: 3)
        #expect(over.phase == .ended)
        tracker.apply(Self.plays(7), at: 3)
        #expect(tracker.phase == .playing && tracker.position.value == 7)
    }

    @Test func itMayBeStoppedByWhoever() {
        var tracker = Self.tracker([(0, Self.plays(0)), (5, Self.plays(5, rate: 0))])
        #expect(tracker.phase == .paused && tracker.position == .init(value: 5, time: 5, rate: 0))
        tracker.commanded(isPlaying: true, at: 8)
        #expect(tracker.phase == .playing && tracker.place(at: 10) == 7)
        for time in [11.0, 12, 13] { tracker.apply(.nothing, at: time) }
        #expect(!tracker.isOver, "a busy receiver is away for a moment")
        var back = tracker
        back.apply(Self.plays(11), at: 14)
        back.apply(.nothing, at: 15)
        #expect(back.phase == .playing)
        tracker.apply(.nothing, at: 14)
        #expect(tracker.phase == .ended && tracker.position.rate == 0)
        tracker.apply(Self.plays(1), at: 15)
        #expect(tracker.phase == .ended)
    }

    @Test func itIsOverSoonAtItsEnd() {
        var tracker = Self.tracker([(0, Self.plays(98)), (1, Self.plays(99)), (2, .nothing)])
        #expect(!tracker.isOver)
        tracker.apply(.nothing, at: 3)
        #expect(tracker.phase == .ended && tracker.position.value == 100)
    }

    /// A receiver says for a moment where it was before.
    @Test func aSeekIsNotTakenBack() {
        var tracker = Self.tracker([(0, Self.plays(0))])
        tracker.sought(to: 60, at: 5)
        tracker.apply(Self.plays(5.5), at: 5.5)
        #expect(tracker.place(at: 6) == 61)
        tracker.apply(Self.plays(61.2), at: 6)
        #expect(tracker.place(at: 6) == 61)
        var stubborn = Self.tracker([(0, Self.plays(0))])
        stubborn.sought(to: 60, at: 5)
        stubborn.apply(Self.plays(8), at: 8)
        #expect(stubborn.place(at: 8) == 8, "it did not go there")
    }

    @Test func whatNeverBeginsHasFailed() {
        var tracker = Self.tracker([(1, .nothing), (20, .nothing)])
        #expect(tracker.phase == .loading)
        tracker.apply(.nothing, at: 26)
        #expect(tracker.phase == .failed("It did not begin to play within 25 s."))
        // Kodi, with an address that leads nowhere.
        let opening = PlaybackInformation(position: 0, rate: 0)
        #expect(Self.tracker([(1, .nothing), (2, .nothing), (3, opening)]).phase == .loading)
        let refused: [(Double, PlaybackInformation)] = [(1, opening)] + (2...5).map { (Double($0), .nothing) }
        #expect(Self.tracker(refused).phase == .failed("It cannot open the address."))
        var waiting = PlaybackInformation(duration: 10, position: 3, rate: 1, isWaiting: true)
        #expect(Self.tracker([(0, waiting)]).position.rate == 0)
        waiting.failure = "domain 4"
        #expect(Self.tracker([(0, waiting)]).phase == .failed("It cannot play this (domain 4)."))
    }

    /// As Kodi 20.1 writes it, and as there may be nothing.
    @Test func readsWhatReceiversSay() throws {
        let kodi = """
            <?xml version="1.0" encoding="UTF-8"?>\r
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\r
            <plist version="1.0">\r
            <dict>\r
            <key>duration</key>\r
            <real>20.000000</real>\r
            <key>loadedTimeRanges</key>\r
            <array>\r
            \t\t<dict>\r
            \t\t\t<key>duration</key>\r
            \t\t\t<real>4.400000</real>\r
            \t\t\t<key>start</key>\r
            \t\t\t<real>0.0</real>\r
            \t\t</dict>\r
            </array>\r
            <key>playbackBufferEmpty</key>\r
            <true/>\r
            <key>playbackBufferFull</key>\r
            <false/>\r
            <key>playbackLikelyToKeepUp</key>\r
            <true/>\r
            <key>position</key>\r
            <real>4.400000</real>\r
            <key>rate</key>\r
            <real>1</real>\r
            <key>readyToPlay</key>\r
            <true/>\r
            </dict>\r
            </plist>\r

            """
        #expect(
            try PlaybackInformation(Array(kodi.utf8)) == PlaybackInformation(duration: 20, position: 4.4, rate: 1))
        #expect(try PlaybackInformation([]) == .nothing)
        let odd: [String: Any] = ["duration": -1, "position": Double.nan, "rate": "fast", "readyToPlay": true]
        let binary = try PropertyListSerialization.data(fromPropertyList: odd, format: .binary, options: 0)
        #expect(try PlaybackInformation(Array(binary)) == PlaybackInformation(isSeekable: false))
        for wrong in ["nonsense", "<plist><array/></plist>"] {
            #expect(throws: AirPlayError.self) { _ = try PlaybackInformation(Array(wrong.utf8)) }
        }
    }

    @Test func writesRequestsThatReceiversRead() throws {
        let requests = VideoRequests(session: "S")
        #expect(requests.scrub(to: 12.25).uri == "/scrub?position=12.250000")
        #expect(requests.volume(2).uri == "/volume?volume=1.000000")
        let text = String(decoding: requests.rate(isPlaying: false).encoded, as: UTF8.self)
        #expect(text.hasPrefix("POST /rate?value=0.000000 HTTP/1.1\r\n") && text.contains("\r\nContent-Length: 0\r\n"))
        let play = try requests.play("http://x/a\nStart-Position: 1", as: .text)
        #expect(play.body == Array("Content-Location: http://x/aStart-Position: 1\nStart-Position: 0\n".utf8))
    }
}
