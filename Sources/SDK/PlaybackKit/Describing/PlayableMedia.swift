import Foundation
import MediaDevice

/// The media a device is to play, and what the app says about it.
public struct PlayableMedia: Sendable, Hashable {
    /// An address the device can open.
    public let url: URL
    public let title: String?
    public let artist: String?
    public let artworkURL: URL?
    /// MIME type, such as `video/mp4`.
    public let contentType: String?
    /// Seconds.
    public let duration: TimeInterval?
    /// Seconds from the beginning; not for adoption.
    public let startPosition: TimeInterval?

    public init(url: URL, information: MediaOutputSession.MediaInformation? = nil) {
        self.url = url
        title = information?.title
        artist = information?.artist
        artworkURL = information?.artworkURL
        contentType = information?.contentType
        duration = information?.duration
        startPosition = information?.startPosition
    }
}
