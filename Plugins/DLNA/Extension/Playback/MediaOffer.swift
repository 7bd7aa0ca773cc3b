import DLNAProtocol
import Foundation
import PlaybackKit

/// Media in the form in which it is offered to a renderer.
struct MediaOffer: Sendable, Hashable {
    var uri: String
    /// A DIDL-Lite document.
    var metadata: String

    /// Creates an offer.
    ///
    /// - Parameters:
    ///   - facts: The facts about the media. Its type is used exactly as the server reports it.
    ///   - information: The app's information. The file name is used if there is no title.
    init(url: URL, facts: MediaFacts, information: MediaOutputSession.MediaInformation?) {
        uri = url.absoluteString
        let mimeType = facts.mimeType
        let protocolInfo =
            mimeType.map { ProtocolInfo.served(mimeType: $0, acceptsRanges: facts.acceptsRanges) }
            ?? ProtocolInfo(transport: "http-get", contentFormat: "*")
        metadata =
            MediaItem(
                title: information?.title ?? Self.title(of: url), artist: information?.artist,
                artworkURI: information?.artworkURL?.absoluteString,
                objectClass: MediaItem.objectClass(forMIMEType: mimeType ?? ""),
                resource: .init(
                    uri: uri, protocolInfo: protocolInfo.description, duration: information?.duration, size: facts.size)
            ).document
    }

    private static func title(of url: URL) -> String {
        let name = url.deletingPathExtension().lastPathComponent
        return name.isEmpty || name == "/" ? url.host() ?? "Media" : name
    }
}
