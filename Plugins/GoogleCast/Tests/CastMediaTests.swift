import Foundation
import GoogleCastProtocol
import JSONValues
import PlaybackKit
import Testing

@testable import GoogleCastExtension

struct CastMediaTests {
    private func json(_ text: String) throws -> JSON { try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

    private func status(
        _ report: String, into previous: CastMediaStatus? = nil, now: Double = 0
    ) throws -> CastMediaStatus? {
        CastMediaStatus.merged(try json(#"{"status":[\#(report)]}"#), into: previous, now: now)
    }

    private static let full = #"""
        {"mediaSessionId":3,"playerState":"PLAYING","currentTime":10,"playbackRate":1,"supportedMediaCommands":12303,
        "activeTrackIds":[2,5],"media":{"contentId":"http://x/y.mp4","streamType":"BUFFERED","duration":60,
        "metadata":{"title":"A film","subtitle":"Part 1","images":[{"url":"http://x/i.png"}]},
        "tracks":[{"trackId":1,"type":"AUDIO","language":"en"},{"trackId":2,"type":"AUDIO","language":"de","name":"Deutsch"},
        {"trackId":5,"type":"TEXT","name":"English"},{"trackId":6,"type":"TEXT"}]}}
        """#

    // MARK: Status

    @Test func aReportBecomesASnapshot() throws {
        let status = try #require(try status(Self.full, now: 100))
        let snapshot = status.snapshot
        #expect(snapshot.isReady && snapshot.isPlaying && !snapshot.isBuffering && snapshot.canSeek)
        #expect(snapshot.position == 10 && snapshot.time == 100 && snapshot.duration == 60 && snapshot.speed == 1)
        #expect(snapshot.speeds == [0.5, 0.75, 1, 1.25, 1.5, 2])
        #expect(snapshot.title == "A film" && snapshot.subtitle == "Part 1")
        #expect(snapshot.artworkURL?.absoluteString == "http://x/i.png")
        #expect(snapshot.audio.available.map(\.name) == ["en", "Deutsch"] && snapshot.audio.current == "2")
        #expect(
            snapshot.subtitles.available.map(\.name) == ["English", "Track 6"] && snapshot.subtitles.current == "5")
        #expect(status.activeTracks(selecting: 6, of: "TEXT") == [2, 6])
        #expect(status.activeTracks(selecting: nil, of: "TEXT") == [2])
        #expect(status.activeTracks(selecting: 1, of: "AUDIO") == [5, 1])
    }

    @Test func onlyChangesAreReported() throws {
        let first = try status(Self.full, now: 100)
        let paused = try #require(try status(#"{"mediaSessionId":3,"playerState":"PAUSED"}"#, into: first, now: 104))
        #expect(paused.snapshot.position == 14, "extrapolated to the time of the report")
        #expect(!paused.snapshot.isPlaying && paused.snapshot.duration == 60 && paused.snapshot.title == "A film")
        let idle = try #require(
            try status(#"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"FINISHED"}"#, into: paused, now: 110))
        #expect(idle.idleReason == .finished)
        let again = try #require(try status(#"{"mediaSessionId":3,"playerState":"BUFFERING"}"#, into: idle, now: 111))
        #expect(again.idleReason == nil && again.snapshot.isBuffering)
        let other = try #require(try status(#"{"mediaSessionId":4,"playerState":"PLAYING"}"#, into: again, now: 112))
        #expect(other.snapshot.duration == nil && other.snapshot.title == nil, "nothing is left of the media before")
        #expect(try status("", into: other) == nil)
    }

    @Test(arguments: [
        #"{"mediaSessionId":"1"}"#, "{}", "3", #"{"mediaSessionId":1.5}"#,
    ])
    func reportsWithoutASessionAreNone(_ report: String) throws { #expect(try status(report) == nil) }

    @Test func strangeNumbersDoNoHarm() throws {
        let report = #"{"mediaSessionId":1,"currentTime":-5,"playbackRate":0,"playerState":"DANCING","media":7}"#
        let snapshot = try #require(try status(report)).snapshot
        #expect(snapshot.position == 0 && snapshot.speed == 1 && !snapshot.isReady)
    }

    // MARK: Course

    @Test func aPlaybackEndsAsTheDeviceSays() throws {
        func verdict(_ reason: String) throws -> CastRun.Verdict {
            var run = CastRun(session: 3)
            #expect(run.observed(try status(Self.full)) == .playing)
            return run.observed(
                try status(#"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"\#(reason)"}"#))
        }
        #expect(try verdict("FINISHED") == .ended(.finished))
        #expect(try verdict("CANCELLED") == .ended(.stopped))
        #expect(try verdict("INTERRUPTED") == .ended(.stopped))
        guard case .ended(.failed(let error)) = try verdict("ERROR") else {
            Issue.record("an error is a failure")
            return
        }
        #expect(error.detail == .deviceRefused)
    }

    @Test func otherMediaOfTheSameAppIsNotOurs() throws {
        var run = CastRun()
        #expect(run.observed(try status(Self.full)) == .unrelated, "not accepted yet")
        run.session = 4
        #expect(run.observed(try status(Self.full)) == .unrelated, "the media before ends late")
        let loading = #"{"mediaSessionId":4,"playerState":"IDLE","extendedStatus":{"playerState":"LOADING"}}"#
        #expect(run.observed(try status(loading)) == .playing)
        #expect(run.observed(try status(#"{"mediaSessionId":4,"playerState":"IDLE"}"#)) == .unrelated)
        #expect(run.observed(try status(#"{"mediaSessionId":5,"playerState":"PLAYING"}"#)) == .ended(.stopped))
        #expect(run.observed(nil) == .unrelated && run.applicationEnded() == .unrelated, "one end")
        var other = CastRun(session: 1)
        #expect(other.applicationEnded() == .ended(.stopped))
    }

    @Test func theSuccessorIsNamed() throws {
        var run = CastRun(session: 4)
        let other = #"{"mediaSessionId":5,"playerState":"PLAYING","media":{"metadata":{"title":"A film"}}}"#
        #expect(run.observed(try status(other)) == .ended(.takenOver(by: "A film")))
        var second = CastRun(session: 4)
        #expect(second.applicationEnded(successor: "YouTube") == .ended(.takenOver(by: "YouTube")))
        #expect(second.applicationEnded(successor: "YouTube") == .unrelated, "one end")
    }

    @Test func theMediaOfAnotherSenderIsFollowed() throws {
        var run = CastRun(.others, session: 3)
        #expect(run.observed(try status(Self.full)) == .playing)
        let leaving = #"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"INTERRUPTED"}"#
        #expect(run.observed(try status(leaving)) == .unrelated, "its sender loads something else")
        #expect(run.observed(try status(#"{"mediaSessionId":9,"playerState":"PLAYING"}"#)) == .playing)
        #expect(run.session == 9)
        #expect(run.observed(nil) == .ended(.stopped))
        #expect(run.observed(try status(Self.full)) == .unrelated)
    }

    @Test func anAppLastsLongerThanItsMedia() throws {
        var run = CastRun(.application)
        #expect(run.observed(nil) == .unrelated)
        #expect(run.observed(try status(Self.full)) == .playing)
        let over = #"{"mediaSessionId":3,"playerState":"IDLE","idleReason":"FINISHED"}"#
        #expect(run.session == 3)
        #expect(run.observed(try status(over)) == .unrelated)
        #expect(run.applicationEnded() == .ended(.stopped))
    }

    @Test func subtitlesAreTracks() throws {
        let subtitles = MediaOutputSession.Subtitles(
            url: try #require(URL(string: "http://x/a.vtt")), name: "German", language: "de")
        let media = PlayableMedia(
            url: try #require(URL(string: "http://x/a.mp4")), information: .init(subtitles: [subtitles, subtitles]))
        let item = try #require(CastMedia.loadFields(media)["media"])
        #expect(item["tracks"]?.array?.map { $0["trackId"]?.integer } == [1, 2])
        #expect(
            item["tracks"]?.array?.first == [
                "trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "name": "German", "language": "de",
                "trackContentId": "http://x/a.vtt", "trackContentType": "text/vtt",
            ])
        #expect(item["textTrackStyle"] != nil)
    }

    @Test func appsTellWhatTheyDo() throws {
        func app(_ fields: String, id: String = "X") throws -> CastApplication {
            let status =
                #"{"status":{"applications":[{"appId":"\#(id)","sessionId":"s","displayName":"Tube",\#(fields)}]}}"#
            return try #require(CastReceiverStatus(try json(status)).applications.first)
        }
        #expect(try app(#""statusText":"A film""#).activity == "Tube: A film")
        #expect(try app(#""statusText":"Tube playing""#).activity == "Tube playing")
        #expect(try app(#""statusText":"Tube""#).activity == "Tube")
        #expect(try app(#""isIdleScreen":true"#).activity == nil)
        #expect(try app(#""statusText":"Tube""#, id: "CC1AD845").activity == nil)
        #expect(try app(#""statusText":"A film""#, id: "CC1AD845").activity == "A film")
        let own = try app(#""namespaces":[{"name":"urn:x-cast:com.google.cast.media"},{},{"name":"urn:x-cast:a.b"}]"#)
        #expect(own.playsMedia && own.channel == "urn:x-cast:a.b")
        #expect(try app(#""namespaces":3"#).channel == nil)
        #expect(CastApplication.isIdentifier("0DE30EC0") && !CastApplication.isIdentifier("a/b"))
        #expect(!CastApplication.isIdentifier("") && !CastApplication.isIdentifier(String(repeating: "A", count: 65)))
    }

    // MARK: Loading

    private func media(
        _ url: String, type: String? = nil, duration: Double? = nil, start: Double? = nil
    ) throws -> PlayableMedia {
        PlayableMedia(
            url: try #require(URL(string: url)),
            information: .init(
                title: "Title", artist: "Artist", artworkURL: URL(string: "http://x/a.jpg"), contentType: type,
                duration: duration, startPosition: start))
    }

    @Test func mediaIsDescribed() throws {
        let music = CastMedia.loadFields(try media("http://x/a%20b.flac?c=d", duration: 5, start: 2))
        #expect(music["currentTime"] == 2 && music["autoplay"] == true)
        let item = try #require(music["media"])
        #expect(item["contentId"] == "http://x/a%20b.flac?c=d" && item["contentType"] == "audio/flac")
        #expect(item["streamType"] == "BUFFERED" && item["duration"] == 5)
        #expect(
            item["metadata"] == [
                "metadataType": 3, "title": "Title", "artist": "Artist", "images": [["url": "http://x/a.jpg"]],
            ])
        let film = CastMedia.loadFields(try media("http://x/film"))
        #expect(film["media"]?["contentType"] == "video/mp4" && film["media"]?["metadata"]?["subtitle"] == "Artist")
        #expect(film["currentTime"] == nil)
        let playlist = CastMedia.loadFields(try media("http://x/y", type: "application/vnd.apple.mpegurl"))
        #expect(playlist["media"]?["contentType"] == "application/x-mpegurl")
        #expect(CastMedia.loadFields(try media("http://x/token/stream.flac"))["media"]?["streamType"] == "LIVE")
    }

    @Test func mediaThatNoDevicePlaysIsRefused() throws {
        let film = try media("http://x/y.wmv", type: "video/x-ms-wmv")
        let refusal = try #require(CastMedia.refusal(film, by: "TV", hasScreen: true))
        #expect(refusal.detail == .unsupportedFormat && refusal.reason?.contains("video/x-ms-wmv") == true)
        #expect(CastMedia.refusal(try media("http://x/y.mkv"), by: "TV", hasScreen: true) == nil)
        let video = try media("http://x/y.mp4")
        #expect(CastMedia.refusal(video, by: "TV", hasScreen: true) == nil)
        #expect(CastMedia.refusal(video, by: "Box", hasScreen: false)?.reason?.contains("no screen") == true)
        #expect(CastMedia.refusal(try media("http://x/y.mp3"), by: "Box", hasScreen: false) == nil)
    }

    @Test func refusalsSayWhatToDo() {
        let url = URL(string: "http://192.0.2.7:41000/token/film.mp4")
        func load(_ code: Int?, _ url: URL?) -> MediaDeviceError {
            CastRefusal.load(code.map { .init($0) } ?? .other(nil)).asDeviceError(loading: url)
        }
        func says(_ error: MediaDeviceError, _ words: String) -> Bool { error.reason?.contains(words) == true }
        #expect(load(104, url).detail == .unsupportedFormat && says(load(104, url), "TCP port 41000"))
        #expect(load(102, url).detail == .unsupportedFormat && says(load(102, url), "H.264"))
        for code in [103, 301, 315, 411, 421, 431] {
            #expect(load(code, url).detail == .unreachableURL, "\(code)")
            #expect(
                says(load(code, url), "at 192.0.2.7:41000 (error \(code)). If that is this computer, allow TCP port"))
        }
        #expect(says(load(301, URL(string: "https://example.org/a.mp4")), "at example.org (error 301). Check that"))
        #expect(load(nil, url).detail == .deviceRefused && load(905, nil).detail == .deviceRefused)
        #expect(says(load(905, nil), "(error 905)"))
        func launch(_ reason: String?, _ app: String? = nil) -> MediaDeviceError {
            CastRefusal.launch(.init(reason)).asDeviceError(application: app)
        }
        #expect(says(launch("NOT_FOUND"), "its media app. Check that the device has an internet connection"))
        #expect(says(launch("NOT_FOUND", "0DE30EC0"), "doesn't know the app 0DE30EC0"))
        #expect(says(launch("NOT_ALLOWED"), "Allow it on its screen") && says(launch("CANCELLED"), "Try again"))
        #expect(says(launch("SYSTEM_ERROR"), "SYSTEM_ERROR") && says(launch(nil), "couldn't start its media app."))
        #expect(launch("NOT_FOUND").detail == .deviceRefused)
        #expect(says(CastRefusal.refused("INVALID_REQUEST", reason: "X").asDeviceError(), "INVALID_REQUEST (X)"))
        #expect(CastRefusal.timedOut.asDeviceError().detail == .timedOut)
    }

    // MARK: Device

    @Test func aTelevisionGoesInItsSteps() throws {
        func volume(_ control: String, step: Double) throws -> CastVolume {
            let text = #"{"status":{"volume":{"level":0.5,"controlType":"\#(control)","stepInterval":\#(step)}}}"#
            return try #require(CastReceiverStatus(try json(text)).volume)
        }
        #expect(try volume("master", step: 0.1).settable(0.33) == 0.30000000000000004)
        #expect(try volume("attenuation", step: 0.1).settable(0.33) == 0.33)
        #expect(try volume("master", step: 0).step == 0.05 && volume("unknown", step: 0.1).control == .attenuation)
        #expect(try volume("master", step: 0.3).settable(7) == 0.8999999999999999)
    }

    @Test func aRecordHidesNothing() {
        let full = CastRecord(["fn": "Kitchen", "md": "Nest", "ca": "2052", "new": "1"], instance: "Nest-1")
        #expect(full.name == "Kitchen" && !full.hasScreen && !full.isGroup)
        let empty = CastRecord([:], instance: "Emulator")
        #expect(empty.name == "Emulator" && empty.hasScreen)
        #expect(CastRecord(["ca": "36"], instance: "x").isGroup)
        #expect(CastRecord.identity(["id": "AB-cd"], instance: "x") == "abcd")
        #expect(CastRecord.identity([:], instance: "x") == "name:x")
    }
}
