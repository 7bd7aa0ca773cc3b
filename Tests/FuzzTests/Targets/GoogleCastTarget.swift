import DeviceConnections
import Foundation
import GoogleCastProtocol
import JSONValues
import PlaybackKit

extension FuzzTarget {
    /// The messages of a Google Cast device after the TLS layer, in pieces of any size.
    static let googleCast = FuzzTarget(
        name: "googlecast",
        seeds: {
            let receiver =
                #"{"type":"RECEIVER_STATUS","requestId":1,"status":{"applications":[{"appId":"CC1AD845","sessionId":"s","transportId":"t"}],"volume":{"level":0.5,"controlType":"master","stepInterval":0.1}}}"#
            let media =
                #"{"type":"MEDIA_STATUS","requestId":3,"status":[{"mediaSessionId":1,"playerState":"PLAYING","currentTime":1.5,"supportedMediaCommands":12303,"activeTrackIds":[1],"media":{"contentId":"x","duration":20,"tracks":[{"trackId":1,"type":"TEXT"}]}}]}"#
            return [
                (receiver, CastNames.receiver, CastNames.platform), (media, CastNames.media, "t"),
                (#"{"type":"LOAD_FAILED","requestId":3,"detailedErrorCode":104}"#, CastNames.media, "t"),
                (
                    #"{"type":"MULTIZONE_STATUS","requestId":4,"status":{"devices":[{"deviceId":"a-1","name":"x","volume":{"level":0.3}}]}}"#,
                    CastNames.multizone, CastNames.platform
                ),
                (#"{"type":"DEVICE_REMOVED","deviceId":"a1"}"#, CastNames.multizone, CastNames.platform),
                ("hello", "urn:x-cast:org.example", "t"),
                (#"{"type":"PING"}"#, CastNames.heartbeat, CastNames.platform),
                (#"{"type":"CLOSE"}"#, CastNames.connection, "t"),
            ].compactMap { text, namespace, source in
                CastFrames.encode(CastMessage(from: source, to: "*", namespace: namespace, payload: .text(text)))
            }
        },
        words: [
            #""requestId":2"#, #""status":[{"mediaSessionId":2"#, #""playerState":"IDLE","idleReason":"FINISHED""#,
            #""idleReason":"ERROR""#, #""currentTime":1e308"#, #""playbackRate":-1"#, #""supportedMediaCommands":-1"#,
            #""trackId":1e99"#, "null", "{", "}", "[", "]", "1e999",
        ],
        outcomes: ["open", "malformed", "too large"]
    ) { bytes in
        var random = SplitMix64(state: UInt64(bytes.count))
        var machine = CastConnectionMachine(sender: "me")
        _ = machine.connected()
        let status = CastReceiverStatus([
            "status": ["applications": [["appId": "CC1AD845", "sessionId": "s", "transportId": "t"]]]
        ])
        guard let application = status.application(CastNames.mediaReceiver) else { return "no app" }
        var open: Set<RequestID> = []
        var media: CastMediaStatus?
        var run = CastRun(session: 1)
        var others = CastRun(.others, session: 1)
        var group = CastGroup()
        var endings = 0
        var outcome = "open"
        func perform(_ actions: [ConnectionAction<CastConnectionMachine.Response, CastNotification>]) throws {
            for action in actions {
                switch action {
                case .complete(let id, _): try demand(open.remove(id) != nil, "completed twice or never asked")
                case .notify(.media(let json, _)):
                    media = CastMediaStatus.merged(json, into: media, now: 1)
                    if case .ended = run.observed(media) { endings += 1 }
                    try demand(endings <= 1, "a playback ends once")
                    if case .ended = others.observed(media) { try demand(others.observed(media) == .unrelated, "once") }
                    guard let snapshot = media?.snapshot else { continue }
                    try demand(snapshot.position.isFinite && snapshot.position >= 0, "\(snapshot)")
                    try demand(snapshot.speed > 0 && snapshot.speed.isFinite, "\(snapshot)")
                    _ = media?.activeTracks(selecting: 1, of: "TEXT")
                case .notify(.receiver(let status)):
                    for app in status.applications { _ = (app.activity, app.channel) }
                    guard let volume = status.volume else { continue }
                    try demand((0...1).contains(volume.settable(0.5)) && (0...1).contains(volume.level), "\(volume)")
                case .notify(.group(let json)):
                    group.received(json)
                    try demand(
                        group.members.count <= 64 && group.members.allSatisfy { !$0.identity.isEmpty }, "members")
                case .notify(.message(_, let namespace, _)):
                    try demand(!namespace.hasPrefix(CastNames.google), "\(namespace)")
                case .close(.malformed): outcome = "malformed"
                case .close(.tooLarge): outcome = "too large"
                case .close: outcome = "closed"
                case .send, .ready, .expect, .notify(.closed): break
                }
            }
        }
        var rest = bytes[...]
        var request: RequestID = 0
        while !rest.isEmpty, outcome == "open" {
            let count = min(rest.count, Int.random(in: 1...200, using: &random))
            try perform(machine.received(Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
            request += 1
            open.insert(request)
            let requests = [
                CastRequest.launch(CastNames.mediaReceiver), .load([:], on: application), .setVolume(0.5),
                .media("PAUSE", session: 1, on: application), .groupStatus,
            ]
            try perform(machine.submit(request, requests[Int(request) % requests.count]))
            try perform(machine.timedOut())
        }
        return outcome
    }
}
