/// A key that a person presses on a receiver, or on a controller of it.
package enum RemoteCommand: Sendable, Hashable {
    case play, pause, playPause, stop
    case volumeUp, volumeDown, toggleMute
    /// `0...1`, 0 is silence.
    case level(Float)
}

/// A request to the sender's remote control, read from its first line.
///
/// Source: DACP, the protocol of Apple's Remote app: `GET /ctrl-int/1/COMMAND?NAME=VALUE`.
package enum RemoteRequest: Sendable, Hashable {
    case command(RemoteCommand)
    /// A key without a meaning for this sender, which has one item at a time and nothing to skip or shuffle.
    case beyond
    /// A query for a whole library: its volume, queue or speakers.
    case question

    private static let path = "/ctrl-int/1/"
    private static let longest = 512
    private static let missing: Set<String> = [
        "nextitem", "previtem", "beginff", "beginrew", "shuffle_songs", "repeat_songs", "setspeakers",
        "set-current-rating",
    ]
    private static let questions: Set<String> = [
        "getproperty", "playstatusupdate", "getspeakers", "nowplayingartwork", "playqueue-contents",
    ]

    /// Parses a request; `nil` for other requests.
    package init?(method: String, uri: String) {
        guard method == "GET" || method == "POST", uri.utf8.count <= Self.longest, uri.hasPrefix(Self.path) else {
            return nil
        }
        let parts = uri.dropFirst(Self.path.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        switch name {
        case "play", "playresume": self = .command(.play)
        case "pause": self = .command(.pause)
        case "playpause": self = .command(.playPause)
        case "stop": self = .command(.stop)
        case "volumeup": self = .command(.volumeUp)
        case "volumedown": self = .command(.volumeDown)
        case "mutetoggle": self = .command(.toggleMute)
        case "setproperty": self = Self.property(parts.count == 2 ? parts[1] : "")
        case _ where Self.missing.contains(name): self = .beyond
        case _ where Self.questions.contains(name): self = .question
        default: return nil
        }
    }

    /// Parses properties. The only supported one is the volume, in the receiver's decibels or in hundredths.
    private static func property(_ query: Substring) -> RemoteRequest {
        for item in query.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let number = Double(pair[1]), number.isFinite else { continue }
            switch pair[0] {
            case "dmcp.device-volume": return .command(.level(AirPlayVolume.level(decibels: number)))
            case "dmcp.volume": return .command(.level(Float(min(100, max(0, number)) / 100)))
            default: continue
            }
        }
        return .beyond
    }
}
