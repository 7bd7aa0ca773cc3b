import DBus
import Foundation
import HostCore
import HostInterface

@testable import HostBus
@testable import HostClient
@testable import HostDesktop

extension FuzzTarget {
    /// A media session that an app publishes, up to its presentation and commands on desktops.
    static let mediaSession = FuzzTarget(
        name: "media-session", seeds: { try SampleValues.mediaSessions.map { ValueBytes.encoded($0) } },
        words: SampleValues.words + ["finite", "live", "playing", "paused", "seek-to-position", "music", "off", "one"],
        outcomes: ["refused", "nothing", "shown"]
    ) { bytes in
        var values = ValueBytes(bytes)
        let value = values.values().first ?? .properties([:])
        guard let state = try? NowPlayingObject.decode(value) else { return "refused" }
        let session = NowPlayingSession(
            id: "app1", kind: .local, owner: "1", application: "org.example.player", name: state.content?.title ?? "",
            state: state)
        try checkAsSeenByClients(session)
        let view = PlayerView(session: session)
        for (name, value) in view.properties {
            try demand(value.asDouble?.isFinite ?? true, "\(name) is \(value)")
        }
        try demand(view.rate != 0, "a rate that MPRIS forbids")
        let clock = PlayerClock(view, now: 100)
        let position = clock.position(at: 1e6)
        try demand(!(position < 0) && !position.isNaN, "the position \(position)")
        _ = clock.jumps(to: PlayerClock(view, now: 1e6), now: 1e6)
        for request in requests(on: view.track) {
            guard let action = try? request.action(view, position: position) else { continue }
            try demand(state.enabled(action.kind) != nil, "\(action.kind) is not offered")
        }
        return state.content == nil ? "nothing" : "shown"
    }

    private static func checkAsSeenByClients(_ session: NowPlayingSession) throws {
        let shown = ClientMediaSession(MediaSessionObject.values(session))
        try demand(shown?.state == session.state, "another state when read again: \(session.state)")
        // As `/org/mdhost/track/…` and as the name of a player, which no text of an app may break.
        try demand(PlayerView.pathElement(session.state.content?.id ?? "").utf8.allSatisfy(isOfPath), "a path")
        try demand(session.playerName.utf8.allSatisfy { isOfPath($0) || $0 == UInt8(ascii: ".") }, session.playerName)
    }

    private static func isOfPath(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return byte < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_")
    }

    private static func requests(on track: String) -> [PlayerRequest] {
        [
            .play, .pause, .playPause, .stop, .next, .previous, .seek(by: 10), .seek(by: -.infinity), .seek(by: .nan),
            .setPosition(10, track: track), .setPosition(.nan, track: track), .setRate(2), .setLoopStatus("Track"),
            .setShuffle(true), .setShuffle(false),
        ]
    }

    /// The facts about a process in `/proc`, whose name, variables and groups are its own choice: three texts, one
    /// below the other.
    static let processFacts = FuzzTarget(
        name: "process-facts",
        words: [
            ") S 1 ", ")", "(", " ", "DISPLAY=:0\0", "WAYLAND_DISPLAY=\0", "0::/", "app-x.scope", ".service", "\n",
        ],
        outcomes: ["refused", "terminal", "window", "neither"]
    ) { bytes in
        let parts =
            String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init) + ["", ""]
        guard let facts = ProcessForeground.facts(status: parts[0], environment: parts[1], groups: parts[2]) else {
            return "refused"
        }
        if facts.terminal != nil { return "terminal" }
        return facts.isForeground ? "window" : "neither"
    }

    /// The identifiers of devices given by people and extensions: addresses to add, declared identifiers, object paths
    /// to merge and split.
    static let deviceNames = FuzzTarget(
        name: "device-names",
        words: [
            "[", "]", ":", "://", "/", "%", "fe80::1", "65536", "mac:", "upnp:uuid:", "ip:", "-", "00:11:22:33:44:55",
            HostNames.devicesPath + "/",
        ],
        outcomes: ["refused", "address", "identifier"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        var outcome = "refused"
        if let address = try? ManualAddress(text) {
            outcome = "address"
            try demand((1...65_535).contains(address.port ?? 1), "the port \(address.port ?? 0)")
            try demand(!address.host.isEmpty && !address.host.contains("/"), "the host \(address.host)")
        }
        if let identifier = DeclaredIdentifier.normalised(text) {
            outcome = "identifier"
            try demand(DeclaredIdentifier.normalised(identifier) == identifier, "another spelling of \(identifier)")
            try demand(identifier.utf8.count <= DeclaredIdentifier.longest, "the identifier \(identifier)")
        }
        _ = HostNames.deviceIdentifier(text)
        return outcome
    }
}

extension SampleValues {
    /// A session with all properties, a minimal one, and one with extreme numbers.
    static var mediaSessions: [DBusValue] {
        get throws {
            var item = MediaItem(id: "a/1", kind: .music, isVideo: false, title: "Tone")
            item.subtitle = "The Oscillators"
            item.extent = .finite
            item.duration = 200
            item.chapter = 3
            item.releaseDate = 1_700_000_000
            let controls =
                MediaControl.Kind.allCases.map { MediaControl($0) }
                + [MediaControl(.changeRepeatMode, modes: ["off", "one"], current: "off", title: "Repeat")]
            let playing = MediaSessionState(
                content: item, playback: .init(state: .playing, position: .init(value: 3, hostTime: 90)),
                controls: controls)
            var extreme = playing
            extreme.content?.releaseDate = Double(Int64.min)
            extreme.content?.duration = .greatestFiniteMagnitude
            extreme.content?.chapter = .max
            extreme.playback?.rate = -.greatestFiniteMagnitude
            extreme.playback?.position = .init(value: .greatestFiniteMagnitude, hostTime: -.greatestFiniteMagnitude)
            return try [playing, MediaSessionState(), extreme].map { try DBusDictionaryEncoder().encode($0) }
        }
    }
}
