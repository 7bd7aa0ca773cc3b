import MediaTypes

/// One playable item as DIDL-Lite describes it.
package struct MediaItem: Sendable, Hashable {
    package var title: String?
    package var artist: String?
    package var artworkURI: String?
    /// `object.item.audioItem.musicTrack` and the like.
    package var objectClass: String?
    package var resource: Resource?

    package struct Resource: Sendable, Hashable {
        package var uri: String
        package var protocolInfo: String
        /// Seconds.
        package var duration: Double?
        /// Bytes.
        package var size: Int64?

        package init(uri: String, protocolInfo: String, duration: Double? = nil, size: Int64? = nil) {
            self.uri = uri
            self.protocolInfo = protocolInfo
            self.duration = duration
            self.size = size
        }
    }

    package init(
        title: String? = nil, artist: String? = nil, artworkURI: String? = nil, objectClass: String? = nil,
        resource: Resource? = nil
    ) {
        self.title = title
        self.artist = artist
        self.artworkURI = artworkURI
        self.objectClass = objectClass
        self.resource = resource
    }

    /// The class that fits a MIME type.
    package static func objectClass(forMIMEType mimeType: String) -> String {
        switch MIMEType.family(mimeType) {
        case "audio": "object.item.audioItem.musicTrack"
        case "image": "object.item.imageItem.photo"
        default: "object.item.videoItem"
        }
    }
}

extension MediaItem {
    /// The item as a DIDL-Lite document, always with the required title and class.
    ///
    /// - Source: ContentDirectory:2, section 2.2.20 and appendix B.
    package var document: String {
        var text = #"<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/""#
        text += #" xmlns:dc="http://purl.org/dc/elements/1.1/""#
        text += #" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/""#
        text += #" xmlns:dlna="urn:schemas-dlna-org:metadata-1-0/">"#
        text += #"<item id="0" parentID="-1" restricted="1">"#
        text += Self.element("dc:title", title ?? "")
        if let artist { text += Self.element("dc:creator", artist) + Self.element("upnp:artist", artist) }
        if let artworkURI { text += Self.element("upnp:albumArtURI", artworkURI) }
        text += Self.element("upnp:class", objectClass ?? "object.item")
        if let resource { text += resource.element }
        return text + "</item></DIDL-Lite>"
    }

    fileprivate static func element(_ name: String, _ value: String) -> String {
        "<\(name)>\(XMLText.escaped(value))</\(name)>"
    }

    /// The first item of a DIDL-Lite document.
    ///
    /// - Throws: ``DLNAError``; `missing` for a document without items.
    package init(parsing document: String) throws(DLNAError) {
        let root = try XMLReader.parse(document.utf8)
        guard root.name == "DIDL-Lite" else { throw .unexpected(root.name) }
        guard let item = root.child("item") ?? root.child("container") else { throw .missing("item") }
        title = item.value("title")
        artist = item.value("artist") ?? item.value("creator")
        artworkURI = item.value("albumArtURI") ?? item.value("icon")
        objectClass = item.value("class")
        resource = item.child("res").flatMap(Resource.init)
    }
}

extension MediaItem.Resource {
    fileprivate var element: String {
        var text = #"<res protocolInfo="\#(XMLText.escaped(protocolInfo))""#
        if let duration { text += #" duration="\#(MediaTime.text(duration, milliseconds: true))""# }
        if let size { text += #" size="\#(size)""# }
        return text + ">\(XMLText.escaped(uri))</res>"
    }

    fileprivate init?(_ element: XMLElement) {
        guard !element.trimmedText.isEmpty else { return nil }
        self.init(
            uri: element.trimmedText, protocolInfo: element.attributes["protocolInfo"] ?? "",
            duration: element.attributes["duration"].flatMap(MediaTime.seconds),
            size: element.attributes["size"].flatMap { Int64($0) })
    }
}
