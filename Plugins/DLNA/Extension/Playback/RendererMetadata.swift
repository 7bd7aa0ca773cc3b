import DLNAProtocol
import Foundation
import MediaDevice

extension AVPlaybackUserInterfaceContentMetadata {
    /// Creates metadata from DIDL-Lite documents, in order of preference: the device's own, then the offered one.
    /// Unreadable documents are ignored.
    init(_ documents: [String?], hasVideo: Bool) {
        let items = documents.compactMap { $0 }.compactMap { try? MediaItem(parsing: $0) }
        let artwork = items.lazy.compactMap { $0.artworkURI.flatMap(Self.fetchable) }.first
        self.init(
            videoProperties: hasVideo ? VideoProperties(presentationSize: .zero) : nil,
            title: items.lazy.compactMap(\.title).first, subtitle: items.lazy.compactMap(\.artist).first,
            artworkRepresentations: artwork.map {
                [.artwork(url: $0, contentType: $0.pathExtension.lowercased() == "png" ? .png : .jpeg, size: .zero)]
            } ?? [])
    }

    /// A device must not make a desktop open a file.
    private static func fetchable(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
        else {
            return nil
        }
        return url
    }
}
