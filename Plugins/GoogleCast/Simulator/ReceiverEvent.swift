import Foundation

/// An event on the simulated device, one JSON object per line.
enum ReceiverEvent: Sendable, Hashable, Encodable {
    /// - Parameter sample: The URL of media to try it with.
    case ready(name: String, port: Int, sample: String?)
    case launched(String)
    case appEnded
    /// A message to an app of its own.
    case message(String)
    case loading(url: String, contentType: String, streamType: String, title: String)
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - bytes: The number of bytes that were read.
    case fetched(status: Int, from: Int, bytes: Int)
    case playback(String, position: Double)
    case volume(level: Double, isMuted: Bool)
    case activeTracks([Int])
    /// A stream of live sound has begun.
    ///
    /// - Parameter due: The time at which the first sample is due, by `CLOCK_MONOTONIC` in seconds.
    case streaming(due: Double)
    /// A stream of pictures has begun.
    ///
    /// - Parameter due: The time at which the first picture is due, by `CLOCK_MONOTONIC` in seconds.
    case showing(due: Double)
    /// A stream of pictures has ended.
    ///
    /// - Parameters:
    ///   - pictures: Their number.
    ///   - lost: Pictures that didn't arrive in time, or couldn't be decoded without one that didn't.
    case shown(_ pictures: Int, lost: Int)
    /// A stream of sound has ended.
    ///
    /// - Parameters:
    ///   - played: Frames that were decoded.
    ///   - lost: Frames that didn't arrive in time.
    ///   - dropped: Packets that were lost on purpose.
    case streamed(played: Int, lost: Int, dropped: Int)
    /// - Parameter status: The HTTP status; 0 if a web page couldn't show the file.
    case subtitles(status: Int, type: String, text: String)

    private enum Key: String, CodingKey {
        case event, name, sample, port, app, url, contentType, streamType, title, status, from, bytes, state, position,
            level, isMuted, tracks, text, due, played, lost, dropped
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .ready(let name, let port, let sample):
            try container.encode("ready", forKey: .event)
            try container.encode(name, forKey: .name)
            try container.encode(port, forKey: .port)
            try container.encodeIfPresent(sample, forKey: .sample)
        case .launched(let app):
            try container.encode("launched", forKey: .event)
            try container.encode(app, forKey: .app)
        case .appEnded: try container.encode("app-ended", forKey: .event)
        case .message(let text):
            try container.encode("message", forKey: .event)
            try container.encode(text, forKey: .text)
        case .loading(let url, let contentType, let streamType, let title):
            try container.encode("loading", forKey: .event)
            try container.encode(url, forKey: .url)
            try container.encode(contentType, forKey: .contentType)
            try container.encode(streamType, forKey: .streamType)
            try container.encode(title, forKey: .title)
        case .fetched(let status, let from, let bytes):
            try container.encode("fetched", forKey: .event)
            try container.encode(status, forKey: .status)
            try container.encode(from, forKey: .from)
            try container.encode(bytes, forKey: .bytes)
        case .playback(let state, let position):
            try container.encode("playback", forKey: .event)
            try container.encode(state, forKey: .state)
            try container.encode(position, forKey: .position)
        case .activeTracks(let tracks):
            try container.encode("tracks", forKey: .event)
            try container.encode(tracks, forKey: .tracks)
        case .streaming(let due):
            try container.encode("streaming", forKey: .event)
            try container.encode(due, forKey: .due)
        case .showing(let due):
            try container.encode("showing", forKey: .event)
            try container.encode(due, forKey: .due)
        case .shown(let pictures, let lost):
            try container.encode("shown", forKey: .event)
            try container.encode(pictures, forKey: .played)
            try container.encode(lost, forKey: .lost)
        case .streamed(let played, let lost, let dropped):
            try container.encode("streamed", forKey: .event)
            try container.encode(played, forKey: .played)
            try container.encode(lost, forKey: .lost)
            try container.encode(dropped, forKey: .dropped)
        case .subtitles(let status, let type, let text):
            try container.encode("subtitles", forKey: .event)
            try container.encode(status, forKey: .status)
            try container.encode(type, forKey: .contentType)
            try container.encode(text, forKey: .text)
        case .volume(let level, let isMuted):
            try container.encode("volume", forKey: .event)
            try container.encode(level, forKey: .level)
            try container.encode(isMuted, forKey: .isMuted)
        }
    }
}

extension ReceiverEvent {
    /// The event for people; `nil` for one that only tests need. Senders name apps, media and addresses, so it has no
    /// characters that a terminal obeys.
    var text: String? {
        sentence.map { sentence in
            String(
                String.UnicodeScalarView(
                    sentence.unicodeScalars.filter {
                        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
                            $0.properties.generalCategory)
                    }))
        }
    }

    private var sentence: String? {
        switch self {
        case .ready, .fetched, .activeTracks: nil
        case .streaming: "Playing live sound."
        case .streamed(let played, let lost, _): "The live sound has ended: \(played) frames, \(lost) lost."
        case .showing: "Showing live pictures."
        case .shown(let pictures, let lost): "The live pictures have ended: \(pictures), \(lost) lost."
        case .launched(let app): "Started the app “\(app)”."
        case .appEnded: "The app has ended."
        case .message(let text): "Message to the app: \(text.prefix(200))"
        case .loading(let url, let type, _, let title): "Loading \(title.isEmpty ? url : "“\(title)”") (\(type))"
        case .playback(let state, let position): "\(state.capitalized) at \(Int(position)) s"
        case .volume(let level, let isMuted): "Volume: \(isMuted ? "muted" : "\(Int((level * 100).rounded())) %")"
        case .subtitles(let status, _, _): status == 200 ? "Showing subtitles." : "Couldn't load the subtitles."
        }
    }
}
