import Foundation
public import JSONValues
public import PlaybackKit

/// The media that Kodi plays now, from `Player.GetProperties` and `Player.GetItem`.
public struct KodiState: Sendable, Equatable {
    public static let properties: JSON = [
        "time", "totaltime", "speed", "canseek", "canchangespeed", "live", "audiostreams", "currentaudiostream",
        "subtitles", "currentsubtitle", "subtitleenabled",
    ]
    public static let itemProperties: JSON = ["title", "artist", "album", "showtitle", "thumbnail", "file"]

    /// The arguments of `Player.SetSpeed`, other than pause and normal speed.
    private static let scanSpeeds: [Double] = [-32, -16, -8, -4, -2, 2, 4, 8, 16, 32]

    /// The number that calls about it carry.
    public let player: Int
    /// The address it was opened with.
    public let file: String
    public let position: Double
    public let duration: Double?
    /// 0 while it is paused.
    public let speed: Double
    public var snapshot: PlaybackSnapshot

    /// - Parameters:
    ///   - time: Seconds of the host clock at which the properties were read.
    public init(player: Int, properties: JSON, item: JSON, time: Double? = nil) {
        self.player = player
        file = item["file"]?.string ?? ""
        position = properties["time"].flatMap(Self.seconds) ?? 0
        let total = properties["totaltime"].flatMap(Self.seconds) ?? 0
        duration = total > 0 ? total : nil
        speed = properties["speed"]?.number ?? 0
        var snapshot = PlaybackSnapshot(isPlaying: speed != 0, position: position, time: time, duration: duration)
        // Other speeds are without sound.
        if speed != 0, speed != 1 { snapshot.scanSpeed = speed }
        snapshot.isLive = properties["live"]?.bool ?? false
        snapshot.canSeek = properties["canseek"]?.bool ?? false
        if properties["canchangespeed"]?.bool == true { snapshot.scanSpeeds = Self.scanSpeeds }
        snapshot.title = Self.text(item["title"]) ?? Self.text(item["label"])
        snapshot.subtitle =
            item["artist"]?.array?.compactMap(\.string).first { !$0.isEmpty } ?? Self.text(item["showtitle"])
            ?? Self.text(item["album"])
        snapshot.artworkURL = item["thumbnail"]?.string.flatMap(Self.artwork)
        snapshot.audio = Self.options(
            properties["audiostreams"], current: properties["currentaudiostream"]?["index"]?.integer)
        snapshot.subtitles = Self.options(
            properties["subtitles"],
            current: properties["subtitleenabled"]?.bool == true
                ? properties["currentsubtitle"]?["index"]?.integer : nil)
        self.snapshot = snapshot
    }

    /// Reads `{"hours", "minutes", "seconds", "milliseconds"}`.
    static func seconds(_ time: JSON) -> Double? {
        guard let hours = time["hours"]?.number, let minutes = time["minutes"]?.number,
            let seconds = time["seconds"]?.number
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds + (time["milliseconds"]?.number ?? 0) / 1000
    }

    /// Seconds as Kodi takes them; at most 100 hours.
    public static func time(_ seconds: Double) -> JSON {
        let milliseconds = Int((max(0, min(360_000, seconds)) * 1000).rounded())
        return [
            "hours": .number(Double(milliseconds / 3_600_000)), "minutes": .number(Double(milliseconds / 60000 % 60)),
            "seconds": .number(Double(milliseconds / 1000 % 60)), "milliseconds": .number(Double(milliseconds % 1000)),
        ]
    }

    private static func text(_ json: JSON?) -> String? { json?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// Kodi wraps the address of a picture: `image://` and the address, percent-encoded, with a final `/`.
    private static func artwork(_ wrapped: String) -> URL? {
        guard wrapped.hasPrefix("image://") else { return nil }
        let inner = wrapped.dropFirst(8).hasSuffix("/") ? wrapped.dropFirst(8).dropLast() : wrapped.dropFirst(8)
        guard let address = String(inner).removingPercentEncoding, address.lowercased().hasPrefix("http") else {
            return nil
        }
        return URL(string: address)
    }

    private static func options(_ list: JSON?, current: Int?) -> PlaybackOptions {
        let available = (list?.array ?? []).compactMap { track -> PlaybackOption? in
            guard let index = track["index"]?.integer else { return nil }
            let language = text(track["language"]).flatMap { $0 == "und" ? nil : $0 }
            let name = text(track["name"]) ?? language ?? "Track \(index + 1)"
            return PlaybackOption(id: String(index), name: name, language: language)
        }
        return PlaybackOptions(available, current: current.map(String.init))
    }
}
