/// The reason a song doesn't play, classified from the player's error line.
public enum MPDPlaybackFailure: Error, Sendable, Hashable {
    /// The server could not fetch the address.
    case unreachableAddress(String)
    /// The server has no decoder for the data, or doesn't support the scheme of the URL.
    case unsupportedFormat(String)
    /// The server's audio output failed.
    case output(String)
    case other(String)

    /// Classifies the `error` line of a `status`.
    ///
    /// MPD has no codes there; the text comes from its decoder, its input plugin or its output. The innermost reason
    /// decides: `Failed to decode http://…; CURL failed: …` is about fetching.
    public init(statusError text: String) {
        let folded = text.lowercased()
        let fetching = [
            "curl failed", "returned error", "failed to connect", "could not resolve", "couldn't connect",
            "connection refused", "no route to host", "got http status", "failed to open http",
        ]
        if folded.contains("audio output") || folded.contains("failed to open output") || folded.contains("alsa") {
            self = .output(text)
        } else if fetching.contains(where: folded.contains) {
            self = .unreachableAddress(text)
        } else if folded.contains("failed to decode") || folded.contains("unrecognized")
            || folded.contains("unsupported") || folded.contains("no decoder")
        {
            self = .unsupportedFormat(text)
        } else {
            self = .other(text)
        }
    }

    /// Sorts the refusal of `addid` or `playid`.
    public init(_ refusal: MPDRefusal) {
        let folded = refusal.text.lowercased()
        if folded.contains("unsupported uri scheme") || folded.contains("unsupported url") {
            self = .unsupportedFormat(refusal.text)
        } else if folded.hasPrefix("failed to") || folded.contains("curl") {
            self = MPDPlaybackFailure(statusError: refusal.text)
        } else {
            self = .other(refusal.text)
        }
    }

    /// One sentence for people with the server's text.
    public var sentence: String {
        switch self {
        case .unreachableAddress(let text): "The MPD server can't fetch the media (\(text))."
        case .unsupportedFormat(let text): "The MPD server can't play this format (\(text))."
        case .output(let text): "The MPD server's sound output failed (\(text))."
        case .other(let text): "The MPD server stopped playing (\(text))."
        }
    }
}
