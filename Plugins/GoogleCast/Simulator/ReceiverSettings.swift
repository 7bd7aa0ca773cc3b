import ArgumentParser
import GoogleCastProtocol

/// The settings of a simulated device.
struct ReceiverSettings: Sendable {
    /// A simulated failure.
    enum Failure: String, Sendable, CaseIterable, ExpressibleByArgument {
        /// Refuses to start an app.
        case launch
        /// Refuses all media.
        case load
        /// Stops with an error after five seconds of playback.
        case playback
        /// Accepts connections and answers only heartbeats.
        case silent
        /// Sends data that violates the protocol.
        case garbage
    }

    var volume = CastVolume.Control.attenuation
    var level = 0.5
    var step = 0.05
    var failure: Failure?
    /// The `detailedErrorCode` of refused media.
    var loadError = 104
    /// A Boolean value that indicates whether media has two audio tracks and one subtitle track.
    var hasTracks = false
    /// Distinguishes the app sessions of this run from those before.
    var run = "1"
}

extension CastVolume.Control: @retroactive ExpressibleByArgument {}

/// An event on the simulated device, one JSON object per line.
enum ReceiverEvent: Sendable, Hashable, Encodable {
    case ready(port: Int)
    case launched(String)
    case appEnded
    case loading(url: String, contentType: String, streamType: String, title: String)
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - bytes: The number of bytes that were read.
    case fetched(status: Int, from: Int, bytes: Int)
    case playback(String, position: Double)
    case volume(level: Double, isMuted: Bool)
    case activeTracks([Int])

    private enum Key: String, CodingKey {
        case event, port, app, url, contentType, streamType, title, status, from, bytes, state, position, level,
            isMuted, tracks
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .ready(let port):
            try container.encode("ready", forKey: .event)
            try container.encode(port, forKey: .port)
        case .launched(let app):
            try container.encode("launched", forKey: .event)
            try container.encode(app, forKey: .app)
        case .appEnded: try container.encode("app-ended", forKey: .event)
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
        case .volume(let level, let isMuted):
            try container.encode("volume", forKey: .event)
            try container.encode(level, forKey: .level)
            try container.encode(isMuted, forKey: .isMuted)
        }
    }
}
