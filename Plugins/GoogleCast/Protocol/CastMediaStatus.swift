import Foundation
public import JSONValues
public import PlaybackKit

/// The state of the media that an app plays. Devices report only what has changed, so that reports are merged.
public struct CastMediaStatus: Sendable, Hashable {
    public enum State: String, Sendable, Hashable {
        case idle = "IDLE"
        case playing = "PLAYING"
        case paused = "PAUSED"
        case buffering = "BUFFERING"
        case loading = "LOADING"
    }

    /// The reason why nothing plays.
    public enum IdleReason: String, Sendable, Hashable {
        case finished = "FINISHED"
        case cancelled = "CANCELLED"
        case interrupted = "INTERRUPTED"
        case error = "ERROR"
    }

    /// The commands that the app accepts for this media.
    public struct Commands: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let pause = Commands(rawValue: 1)
        public static let seek = Commands(rawValue: 2)
        public static let editTracks = Commands(rawValue: 4096)
        public static let playbackRate = Commands(rawValue: 8192)
    }

    /// The number of this playback, unique for the app.
    public let session: Int
    public private(set) var state = State.idle
    public private(set) var idleReason: IdleReason?
    public private(set) var commands: Commands = [.pause, .seek]
    public private(set) var activeTracks: [Int] = []
    private var position = 0.0
    /// The time of `position`, in seconds of the host clock.
    private var time = 0.0
    private var rate = 1.0
    private var media: JSON?

    /// The media session of a `MEDIA_STATUS`; `nil` if there is none.
    public static func session(of json: JSON) -> Int? { json["status"]?.array?.first?["mediaSessionId"]?.integer }

    /// Merges a report into the state.
    ///
    /// - Parameters:
    ///   - json: The payload of a `MEDIA_STATUS`.
    ///   - previous: The state before.
    ///   - now: The time of the report, in seconds of the host clock.
    /// - Returns: `nil` if the app has no media.
    public static func merged(_ json: JSON, into previous: CastMediaStatus?, now: Double) -> CastMediaStatus? {
        guard let report = json["status"]?.array?.first, let session = report["mediaSessionId"]?.integer else {
            return nil
        }
        var status = previous.flatMap { $0.session == session ? $0 : nil } ?? CastMediaStatus(session: session)
        status.merge(report, now: now)
        return status
    }

    private init(session: Int) { self.session = session }

    private mutating func merge(_ report: JSON, now: Double) {
        position = max(0, report["currentTime"]?.number ?? position(at: now))
        time = now
        if let new = report["playerState"]?.string.flatMap(State.init) { state = new }
        if report["extendedStatus"]?["playerState"]?.string == State.loading.rawValue { state = .loading }
        idleReason = report["idleReason"]?.string.flatMap(IdleReason.init)
        // Some apps report 0 during a pause, and that isn't the chosen rate.
        if let new = report["playbackRate"]?.number, new > 0, new <= 16 { rate = new }
        if let new = report["supportedMediaCommands"]?.integer { commands = Commands(rawValue: new) }
        if let new = report["activeTrackIds"]?.array { activeTracks = new.compactMap(\.integer) }
        if let new = report["media"], new["contentId"] != nil || media == nil { media = new }
    }

    private func position(at now: Double) -> Double {
        state == .playing ? position + rate * max(0, now - time) : position
    }

    /// The URL as it was loaded.
    public var contentID: String? { media?["contentId"]?.string ?? media?["contentUrl"]?.string }

    /// The title for people; `nil` if the media has none.
    public var title: String? { Self.text(media?["metadata"]?["title"]) }

    // MARK: Snapshot

    public static let rates = [0.5, 0.75, 1, 1.25, 1.5, 2]

    public var snapshot: PlaybackSnapshot {
        let total = media?["duration"]?.number ?? 0
        var snapshot = PlaybackSnapshot(
            isPlaying: state != .paused, position: position, time: time, duration: total > 0 ? total : nil)
        snapshot.isReady = state == .playing || state == .paused || state == .buffering
        snapshot.isBuffering = state == .buffering || state == .loading
        snapshot.isLive = media?["streamType"]?.string == "LIVE"
        snapshot.canSeek = commands.contains(.seek)
        snapshot.speed = rate
        if commands.contains(.playbackRate), !snapshot.isLive { snapshot.speeds = Self.rates }
        let metadata = media?["metadata"]
        snapshot.title = title
        snapshot.subtitle =
            Self.text(metadata?["artist"]) ?? Self.text(metadata?["subtitle"]) ?? Self.text(metadata?["seriesTitle"])
        snapshot.artworkURL = metadata?["images"]?.array?.first?["url"]?.string.flatMap { URL(string: $0) }
        snapshot.audio = options("AUDIO")
        snapshot.subtitles = options("TEXT")
        return snapshot
    }

    private func options(_ type: String) -> PlaybackOptions {
        guard commands.contains(.editTracks) else { return PlaybackOptions() }
        let tracks = tracks(type)
        let available = tracks.map { track in
            let language = Self.text(track.json["language"])
            let name = Self.text(track.json["name"]) ?? language ?? "Track \(track.number)"
            return PlaybackOption(id: String(track.number), name: name, language: language)
        }
        let current = tracks.first { activeTracks.contains($0.number) }
        return PlaybackOptions(available, current: current.map { String($0.number) })
    }

    private func tracks(_ type: String) -> [(number: Int, json: JSON)] {
        (media?["tracks"]?.array ?? []).prefix(100).compactMap { track in
            guard track["type"]?.string == type, let number = track["trackId"]?.integer else { return nil }
            return (number, track)
        }
    }

    /// Returns the tracks to activate after a selection. The command replaces all of them, those of the other type too.
    ///
    /// - Parameters:
    ///   - track: The number of the new track; `nil` for none.
    ///   - type: `AUDIO` or `TEXT`.
    public func activeTracks(selecting track: Int?, of type: String) -> [Int] {
        let replaced = Set(tracks(type).map(\.number))
        return activeTracks.filter { !replaced.contains($0) } + (track.map { [$0] } ?? [])
    }

    private static func text(_ json: JSON?) -> String? { json?.string.flatMap { $0.isEmpty ? nil : $0 } }
}
