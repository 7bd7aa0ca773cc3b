import DeviceConnections
import Foundation
import GoogleCastProtocol
import JSONValues
import PlaybackKit
import Testing

/// A device that does its worst, without I/O. Every attempt ends in a typed error or changes nothing.
struct HostileDeviceTests {
    private typealias Action = ConnectionAction<CastConnectionMachine.Response, CastNotification>

    private func frame(
        _ payload: String, _ namespace: String = CastNames.receiver, from source: String = CastNames.platform
    ) throws -> [UInt8] {
        try #require(
            CastFrames.encode(CastMessage(from: source, to: "me", namespace: namespace, payload: .text(payload))))
    }

    private func ready() throws -> CastConnectionMachine {
        var machine = CastConnectionMachine(sender: "me")
        _ = machine.connected()
        _ = machine.received(try frame(#"{"type":"RECEIVER_STATUS","requestId":1,"status":{}}"#))
        return machine
    }

    private func completed(_ actions: [Action]) -> [RequestID] {
        actions.compactMap { if case .complete(let id, _) = $0 { id } else { nil } }
    }

    private func isClosed(_ actions: [Action]) -> Bool {
        actions.contains { if case .close = $0 { true } else { false } }
    }

    @Test(arguments: [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 1, 0, 1]] as [[UInt8]])
    func aHugeLengthEndsTheConnectionBeforeItsContentArrives(_ length: [UInt8]) throws {
        var machine = try ready()
        var actions: [Action] = []
        for byte in length { actions += machine.received([byte]) }
        #expect(actions == [.close(.tooLarge("a message of more than 65536 bytes"))])
    }

    @Test func aMessageByteForByteIsReadOnce() throws {
        let text = #"{"type":"RECEIVER_STATUS","requestId":0,"x":"\#(String(repeating: "x", count: 60_000))"}"#
        var machine = try ready()
        var told = 0
        for byte in try frame(text) {
            for case .notify in machine.received([byte]) { told += 1 }
        }
        #expect(told == 1)
    }

    @Test(arguments: [
        (#"{"type":"MEDIA_STATUS","a":"#, "["), ("", "["), ("", #"{"a":"#), (#"{"type":"PING","a":"#, "[0,"),
    ])
    func endlessNestingIsMalformed(_ begin: String, _ level: String) throws {
        for namespace in [CastNames.receiver, CastNames.media, CastNames.multizone, CastNames.heartbeat] {
            var machine = try ready()
            let count = (CastFrames.longest - 200) / level.utf8.count
            let actions = machine.received(
                try frame(begin + String(repeating: level, count: count), namespace, from: "t1"))
            #expect(actions == [.close(.malformed("a message without a type"))])
        }
    }

    @Test(arguments: ["1e999", "-1e999", "NaN", "Infinity", "0x10", "1.", "99999999999999999999e9999"])
    func numbersThatAreNoneAreMalformed(_ number: String) throws {
        var machine = try ready()
        let text = #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1,"currentTime":\#(number)}]}"#
        let actions = machine.received(try frame(text, CastNames.media, from: "t1"))
        #expect(actions == [.close(.malformed("a message without a type"))])
    }

    @Test(arguments: ["1e308", "-1e308", "1e-308", "9223372036854775807", "-0"])
    func hugePositionsStayFinite(_ number: String) throws {
        let report = #"""
            {"status":[{"mediaSessionId":1,"playerState":"PLAYING","playbackRate":\#(number),"currentTime":\#(number),
            "supportedMediaCommands":\#(number),"media":{"contentId":"x","duration":\#(number)}}]}
            """#
        let json = try JSONDecoder().decode(JSON.self, from: Data(report.utf8))
        var status = CastMediaStatus.merged(json, into: nil, now: 0)
        // Without a position, it is the one before plus the time since.
        let next = try JSONDecoder().decode(JSON.self, from: Data(#"{"status":[{"mediaSessionId":1}]}"#.utf8))
        for now in [1.0, 1e9, 1e18] {
            status = CastMediaStatus.merged(next, into: status, now: now)
            let snapshot = try #require(status?.snapshot)
            #expect(snapshot.position.isFinite && snapshot.position >= 0, "\(snapshot.position)")
            #expect(snapshot.speed > 0 && snapshot.speed <= 16)
            #expect(snapshot.duration.map { $0.isFinite && $0 > 0 } ?? true)
        }
    }

    @Test func thousandsOfAppsDevicesAndTracksAreBounded() throws {
        func list(_ entry: String, _ count: Int) -> String {
            Array(repeating: entry, count: count).joined(separator: ",")
        }
        var machine = try ready()
        let apps = list(#"{"appId":"X","sessionId":"s","namespaces":[{"name":"n"}]}"#, 1_100)
        let actions = machine.received(
            try frame(#"{"type":"RECEIVER_STATUS","requestId":0,"status":{"applications":[\#(apps)]}}"#))
        #expect(actions.count == 1)

        var group = CastGroup()
        let devices = (0..<2_000).map { #"{"deviceId":"d\#($0)"}"# }.joined(separator: ",")
        let zones = machine.received(
            try frame(
                #"{"type":"MULTIZONE_STATUS","requestId":0,"status":{"devices":[\#(devices)]}}"#, CastNames.multizone))
        for case .notify(.group(let json)) in zones { group.received(json) }
        #expect(group.members.count == 64)

        let tracks = (0..<1_500).map { #"{"trackId":\#($0),"type":"TEXT"}"# }.joined(separator: ",")
        let media =
            #"{"status":[{"mediaSessionId":1,"supportedMediaCommands":4096,"media":{"contentId":"x","tracks":[\#(tracks)]}}]}"#
        let json = try JSONDecoder().decode(JSON.self, from: Data(media.utf8))
        #expect(CastMediaStatus.merged(json, into: nil, now: 0)?.snapshot.subtitles.available.count == 100)
    }

    @Test func answersToOtherRequestsCompleteNothing() throws {
        var machine = try ready()
        let status = CastReceiverStatus([
            "status": ["applications": [["appId": "CC1AD845", "sessionId": "s1", "transportId": "t1"]]]
        ])
        let application = try #require(status.application(CastNames.mediaReceiver))
        _ = machine.submit(1, .load([:], on: application))
        _ = machine.submit(2, .receiverStatus)
        for number in [
            "0", "1", "4", "-2", "2.5", "1e300", "-9223372036854775808", "9223372036854775807", #""2""#, "null",
        ] {
            let media = #"{"type":"MEDIA_STATUS","requestId":\#(number),"status":[{"mediaSessionId":1}]}"#
            #expect(completed(machine.received(try frame(media, CastNames.media, from: "t1"))).isEmpty)
            for type in ["LOAD_FAILED", "INVALID_REQUEST", "LAUNCH_ERROR"] {
                let refusal = #"{"type":"\#(type)","requestId":\#(number)}"#
                #expect(completed(machine.received(try frame(refusal, CastNames.media, from: "t1"))).isEmpty)
            }
        }
        // The right number, from another app, for another kind of request, or in another namespace.
        let right = #"{"type":"MEDIA_STATUS","requestId":2,"status":[{"mediaSessionId":1}]}"#
        for (namespace, source) in [
            (CastNames.media, "t2"), (CastNames.receiver, "t1"), (CastNames.multizone, "t1"),
            ("urn:x-cast:org.example", "t1"), ("urn:x-cast:com.google.cast.other", "t1"), ("", "t1"),
        ] {
            #expect(completed(machine.received(try frame(right, namespace, from: source))).isEmpty)
        }
        #expect(completed(machine.received(try frame(right, CastNames.media, from: "t1"))) == [1])
    }

    @Test func aDeviceThatTalksWithoutEndIsNotWaitedFor() throws {
        var machine = try ready()
        _ = machine.submit(7, .setVolume(0.5))
        let chatter =
            try frame(#"{"type":"PING"}"#, CastNames.heartbeat) + frame(#"{"type":"PONG"}"#, CastNames.heartbeat)
        let flood = Array(repeating: chatter, count: 1_000).flatMap { $0 }
        var done: [RequestID] = []
        for _ in 0..<3 {
            // One answer for each, and nothing kept.
            #expect(machine.received(flood).count == 1_000)
            done += completed(machine.timedOut())
        }
        #expect(done == [7])
    }
}
