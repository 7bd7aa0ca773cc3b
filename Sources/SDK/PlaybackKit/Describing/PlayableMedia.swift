public import Foundation
public import MediaDevice

/// Media for a device to play, and the app's description of it.
public struct PlayableMedia: Sendable, Hashable {
    /// The URL of the media, which the device can open.
    public let url: URL
    /// The title; `nil` if the app gives none.
    public let title: String?
    /// The artist; `nil` if the app gives none.
    public let artist: String?
    /// The URL of the artwork; `nil` if the app gives none.
    public let artworkURL: URL?
    /// The MIME type, such as `video/mp4`; `nil` if unknown.
    public let contentType: String?
    /// The duration in seconds; `nil` if unknown.
    public let duration: TimeInterval?
    /// The position at which to start, in seconds from the beginning. ``RemotePlayer/adopt(_:token:as:)`` ignores it.
    public let startPosition: TimeInterval?
    /// The subtitles that are in files of their own.
    public let subtitles: [MediaOutputSession.Subtitles]
    /// The app's information as the session has it; `nil` if the app gives none.
    public let information: MediaOutputSession.MediaInformation?

    private let owner: SessionIdentity

    /// The session in which the media is played; `nil` for that of another sender, and in tests without a system.
    public var session: MediaOutputSession? { owner.session }

    /// Creates a description of media from a URL and the app's information about it.
    public init(
        url: URL, information: MediaOutputSession.MediaInformation? = nil, session: MediaOutputSession? = nil
    ) {
        self.url = url
        owner = SessionIdentity(session: session)
        title = information?.title
        artist = information?.artist
        artworkURL = information?.artworkURL
        contentType = information?.contentType
        duration = information?.duration
        startPosition = information?.startPosition
        subtitles = information?.subtitles ?? []
        self.information = information
    }
}

/// A session, the same as another if it is the same object.
private struct SessionIdentity: Sendable, Hashable {
    let session: MediaOutputSession?

    static func == (left: Self, right: Self) -> Bool { left.session === right.session }
    func hash(into hasher: inout Hasher) { hasher.combine(session.map(ObjectIdentifier.init)) }
}
