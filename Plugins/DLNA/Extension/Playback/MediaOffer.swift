import DLNAProtocol
import Foundation
import MediaDevice

/// Media as it is offered to one renderer.
struct MediaOffer: Sendable, Hashable {
    var uri: String
    /// A DIDL-Lite document.
    var metadata: String

    /// - Parameters:
    ///   - facts: Of the media; its type goes into the description exactly as the server says it.
    ///   - information: What the app told; the file's name stands in for a title.
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
