import MediaTypes
import Testing

@testable import DLNAProtocol

struct SinkFormatsTests {
    private func formats(_ device: String) throws -> SinkFormats {
        guard
            case .success(let arguments) = try SOAPResponse(
                parsing: Fixtures.bytes("\(device)/GetProtocolInfo.xml"), action: "GetProtocolInfo")
        else { throw DLNAError.missing("Sink") }
        return try ConnectionManager.formats(in: arguments)
    }

    @Test func readsRealLists() throws {
        let rygel = try formats("rygel")
        #expect(rygel.takesVideo)
        #expect(rygel.answer(for: "audio/mpeg") == .listed)
        #expect(rygel.answer(for: "audio/L16;rate=44100;channels=2") == .listed)
        #expect(Set(rygel.mimeTypes).count == rygel.mimeTypes.count)
        let gmediarender = try formats("gmediarender")
        #expect(gmediarender.answer(for: "audio/flac") == .listed)
        #expect(gmediarender.answer(for: "audio/x-nothing") == .unknown)
        #expect(gmediarender.answer(for: "text/x-nothing") == .unlisted)
    }

    @Test func knowsFormatsByAllTheirNames() {
        let formats = SinkFormats("http-get:*:audio/x-flac:*,http-get:*:AUDIO/MP3:DLNA.ORG_PN=MP3,rtsp:*:video/mp4:*")
        #expect(formats.mimeTypes == ["audio/x-flac", "audio/mp3"])
        #expect(formats.answer(for: "audio/flac") == .listed)
        #expect(formats.answer(for: "audio/mpeg") == .listed)
        #expect(formats.answer(for: "video/mp4") == .unlisted)
        #expect(!formats.takesVideo)
        #expect(SinkFormats("http-get:*:video/mpegts:*").answer(for: "video/mp2t") == .listed)
    }

    @Test func refusesOnlyWhatSurelyCannotPlay() {
        #expect(SinkFormats("").answer(for: "video/mp4") == .unknown)
        #expect(SinkFormats("http-get:*:*:*").answer(for: "video/mp4") == .unknown)
        #expect(SinkFormats("http-get:*:audio/*:*").answer(for: "audio/flac") == .unknown)
        #expect(SinkFormats("http-get:*:audio/*:*").answer(for: "video/mp4") == .unlisted)
        #expect(SinkFormats("http-get:*:audio/opus:*").answer(for: "audio/ogg") == .listed)
        #expect(SinkFormats("http-get:*:audio/wav:*").answer(for: "application/octet-stream") == .unknown)
        #expect(SinkFormats("rubbish,,:::,http-get:*::*").mimeTypes.isEmpty)
    }

    @Test func splitsAtUnescapedCommas() {
        let formats = SinkFormats(#"http-get:*:audio/a:X=1\,2,http-get:*:audio/b:*,"#)
        #expect(formats.mimeTypes == ["audio/a", "audio/b"])
    }

    @Test func summarisesForPeople() {
        let formats = SinkFormats(
            ["video/mp4", "audio/a", "audio/b", "audio/c"].map { "http-get:*:\($0):*" }.joined(separator: ","))
        #expect(formats.summary(like: "audio/x", limit: 2) == "audio/a, audio/b and 1 more")
        #expect(formats.summary(like: "video/x") == "video/mp4")
        #expect(formats.summary(like: "image/png", limit: 9) == "video/mp4, audio/a, audio/b, audio/c")
    }

    @Test func announcesWhatIsServed() {
        #expect(
            ProtocolInfo.served(mimeType: "audio/mpeg", acceptsRanges: true).description
                == "http-get:*:audio/mpeg:DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=01700000000000000000000000000000")
        #expect(
            ProtocolInfo.served(mimeType: "image/png", acceptsRanges: false).additionalInfo
                == "DLNA.ORG_OP=00;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=00D00000000000000000000000000000")
        #expect(ProtocolInfo("http-get:*:audio/mpeg") == nil)
        #expect(ProtocolInfo(" HTTP-GET:*:a/b:c:d ")?.additionalInfo == "c:d")
    }

    @Test func leavesOutParameters() {
        #expect(MIMEType.bare(" Audio/MPEG ; x=1") == "audio/mpeg")
    }
}

struct MediaItemTests {
    private let item = MediaItem(
        title: "Tom & \"Jerry\" <1>", artist: "Ünal", artworkURI: "http://h/a.jpg?x=1&y=2",
        objectClass: MediaItem.objectClass(forMIMEType: "audio/flac"),
        resource: .init(
            uri: "http://h/a b.flac?t=1&u=2", protocolInfo: "http-get:*:audio/flac:DLNA.ORG_OP=01", duration: 3723.5,
            size: 5_000_000_000))

    @Test func readsBackWhatItWrites() throws {
        #expect(try MediaItem(parsing: item.document) == item)
        #expect(item.document.contains(#"duration="1:02:03.500" size="5000000000""#))
        #expect(item.document.contains("<upnp:class>object.item.audioItem.musicTrack</upnp:class>"))
    }

    @Test func alwaysHasATitleAndAClass() throws {
        let root = try XMLReader.parse(MediaItem().document.utf8)
        let names = root.child("item")?.children.map(\.name)
        #expect(names == ["title", "class"])
        #expect(try MediaItem(parsing: MediaItem().document).title == nil)
    }

    @Test func readsWhatOthersWrite() throws {
        let item = try MediaItem(
            parsing: """
                <DIDL-Lite xmlns:dc="d"><item><dc:title> A&B </dc:title><dc:creator>C</dc:creator><res>http://x/?a&b</res>\
                <res protocolInfo="p">second</res></item></DIDL-Lite>
                """)
        #expect(item.title == "A&B")
        #expect(item.artist == "C")
        #expect(item.resource == .init(uri: "http://x/?a&b", protocolInfo: ""))
        #expect(throws: DLNAError.missing("item")) { try MediaItem(parsing: "<DIDL-Lite/>") }
        #expect(throws: DLNAError.unexpected("x")) { try MediaItem(parsing: "<x/>") }
        #expect(throws: DLNAError.truncated) { try MediaItem(parsing: "") }
    }
}
