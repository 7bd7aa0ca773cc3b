import Foundation
import NowPlaying

/// The attributes that app, server and extension exchange for one session: always the complete state.
public struct SpeakerAttributes: RemoteMediaSessionAttributes, Sendable {
    public struct Track: Codable, Sendable {
        public var id: String
        public var title: String
        public var artist: String
        public var album: String
        public var duration: TimeInterval

        public init(id: String, title: String, artist: String, album: String, duration: TimeInterval) {
            (self.id, self.title, self.artist) = (id, title, artist)
            (self.album, self.duration) = (album, duration)
        }
    }

    public struct Speaker: Codable, Sendable {
        public var id: String
        public var name: String
        public var type: MediaDevice.DeviceType
        public var volume: Float

        public init(id: String, name: String, type: MediaDevice.DeviceType, volume: Float) {
            (self.id, self.name, self.type, self.volume) = (id, name, type, volume)
        }
    }

    public let id: String
    public var track: Track?
    public var isPlaying = false
    public var position: TimeInterval = 0
    /// When ``position`` was true.
    public var date: Date
    public var speakers: [Speaker] = []

    public init(id: String, track: Track?, date: Date = .now) {
        (self.id, self.track, self.date) = (id, track, date)
    }
}
