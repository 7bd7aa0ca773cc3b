import DBus
import HostCore
import HostInterface

/// A media session in terms of MPRIS (`org.mpris.MediaPlayer2.Player`, version 2.2).
struct PlayerView: Sendable, Hashable {
    var session: NowPlayingSession
    /// The URL of the picture; `nil` if there is none, or not yet.
    var artworkURL: String?

    private var state: MediaSessionState { session.state }
    private var item: MediaItem? { state.content }

    /// Returns the time in microseconds, which is the unit of MPRIS.
    static func microseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1e6).rounded()) ?? 0 }

    var properties: [String: DBusValue] {
        [
            "PlaybackStatus": .string(status), "Rate": .double(rate), "MinimumRate": .double(rates.min() ?? 1),
            "MaximumRate": .double(rates.max() ?? 1), "LoopStatus": .string(loopStatus),
            "Shuffle": .boolean(isShuffled),
            "Volume": .double(session.volume ?? 1), "Metadata": metadata,
            "CanPlay": .boolean(can(.play) || (can(.togglePlayPause) && !isActive)),
            "CanPause": .boolean(can(.pause) || (can(.togglePlayPause) && isActive)),
            "CanGoNext": .boolean(can(.next)), "CanGoPrevious": .boolean(can(.previous)),
            "CanSeek": .boolean(can(.seekToPosition) || can(.skipForward) || can(.skipBackward)),
        ]
    }

    /// The identifier of the current item as an object path.
    var track: String {
        item.map { "/org/mdhost/track/" + Self.pathElement($0.id) } ?? "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    }

    var isActive: Bool { state.playback?.isActive ?? false }

    /// The status for MPRIS, which has no buffering and interruption: playback that resumes by itself is playing, other
    /// is paused.
    var status: String {
        switch state.playback?.state {
        case .playing, .buffering: "Playing"
        case .paused, .interrupted: "Paused"
        case .stopped, nil: "Stopped"
        }
    }

    /// Never 0, which MPRIS forbids.
    var rate: Double { (isActive ? state.playback?.rate : state.playback?.defaultRate) ?? 1 }

    private var rates: [Double] { (state.enabled(.changePlaybackRate)?.numbers ?? []).filter { $0 > 0 } + [1] }

    var loopStatus: String {
        switch state.controls.first(where: { $0.kind == .changeRepeatMode })?.current {
        case "one": "Track"
        case "all": "Playlist"
        default: "None"
        }
    }

    var isShuffled: Bool {
        ["items", "collections"].contains(state.controls.first { $0.kind == .changeShuffleMode }?.current)
    }

    private func can(_ kind: MediaControl.Kind) -> Bool { state.enabled(kind) != nil }

    private var metadata: DBusValue {
        var values: [String: DBusValue] = ["mpris:trackid": .objectPath(track)]
        guard let item else { return .properties(values) }
        values["xesam:title"] = .string(item.title)
        values["xesam:artist"] = item.subtitle.map { .strings([$0]) }
        values["xesam:album"] = item.collection.map { .string($0) }
        values["xesam:genre"] = item.genre.map { .strings([$0]) }
        values["xesam:composer"] = item.composer.map { .strings([$0]) }
        values["xesam:contentCreated"] = item.releaseDate.map { .string(ISODate.text($0)) }
        values["xesam:trackNumber"] = item.chapter.flatMap { Int32(exactly: $0) }.map { .int32($0) }
        values["xesam:url"] = item.url.map { .string($0) }
        // For live content, the seekable window: without a length, clients disable seeking.
        values["mpris:length"] = (item.end ?? (item.extent == .live ? item.duration : nil)).map {
            .int64(Self.microseconds($0))
        }
        values["mpris:artUrl"] = artworkURL.map { .string($0) }
        return .properties(values)
    }

    /// Returns any text as an element of an object path, different for different texts.
    static func pathElement(_ text: String) -> String {
        guard !text.isEmpty else { return "_" }
        return text.utf8.prefix(120).map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "_" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

/// Days and times as MPRIS writes them.
enum ISODate {
    /// - Parameter seconds: Since 1970.
    static func text(_ seconds: Double) -> String {
        guard let whole = Int64(exactly: seconds.rounded(.down)) else { return "" }
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let days = whole / 86_400 - (whole % 86_400 < 0 ? 1 : 0)
        let rest = (whole % 86_400 + 86_400) % 86_400
        // Days to a civil date: years from March on, in eras of 400 of them.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
        return "\(year)-\(two(civilMonth))-\(two(day))T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
    }
}
