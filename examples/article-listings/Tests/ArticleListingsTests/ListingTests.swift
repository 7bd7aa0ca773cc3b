import Foundation
import Testing

@testable import LocalSessions
@testable import RemoteSessions
@testable import TalkExtension

/// Tests that the listings behave as their articles say, as far as no daemon is needed.
@MainActor
@Suite("Article listings")
struct ListingTests {
    private struct Payload<Attributes: Decodable>: Decodable {
        struct Push: Decodable {
            var event: String
            var timestamp: Int
            var attributes: Attributes
        }
        var aps: Push
    }

    private struct Identified: Decodable { var id: String }

    private func listing(_ name: String) throws -> Data {
        let file = try #require(Bundle.module.url(forResource: "Payloads/" + name, withExtension: nil))
        return try Data(contentsOf: file)
    }

    private func push<Attributes: Decodable>(_ name: String, _ type: Attributes.Type) throws -> Payload<Attributes>.Push
    {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Payload<Attributes>.self, from: listing(name)).aps
    }

    @Test("the payloads of start and update are the article's attributes; end has their identifier")
    func payloads() throws {
        let start = try push("start.json", MySessionAttributes.self)
        let update = try push("update.json", MySessionAttributes.self)
        let end = try push("end.json", Identified.self)
        #expect([start.event, update.event, end.event] == ["start", "update", "end"])
        #expect(start.timestamp < update.timestamp && update.timestamp < end.timestamp)
        #expect(Set([start.attributes.id, update.attributes.id, end.attributes.id]).count == 1)
        #expect(update.attributes.currentTrack?.id == "track-2" && update.attributes.devices.first?.volume == 0.65)
    }

    @Test("attributes that arrive are shown: content, state, commands and devices follow them")
    func remoteSession() throws {
        let session = MyRemoteSession(attributes: try push("start.json", MySessionAttributes.self).attributes)
        #expect(session.id == session.attributes.id && session.content?.id == "track-1")
        #expect(session.commands.count == 5 && session.devices.map(\.name) == ["Living Room Speaker"])
        session.update(try push("update.json", MySessionAttributes.self).attributes)
        #expect(session.content?.id == "track-2")
    }

    @Test("the extension's property list names the extension point that the talk's source names")
    func extensionPoint() throws {
        let text = try #require(String(data: listing("extension-point.plist"), encoding: .utf8))
        let list = try PropertyListSerialization.propertyList(
            from: Data("<plist version=\"1.0\"><dict>\(text)</dict></plist>".utf8), format: nil)
        let attributes = try #require((list as? [String: Any])?["EXAppExtensionAttributes"] as? [String: String])
        #expect(attributes["EXExtensionPointIdentifier"] == SampleAppExtension().extensionPoint.identifier?.rawValue)
    }

    @Test("the article's player shows nothing without a track, and the track once there is one")
    func localSession() {
        let player = AudioPlayer()
        #expect(player.content == nil && player.commands.count == 2)
        player.currentTrack = Track(
            id: "1", title: "Title", artist: "Artist", album: "Album", duration: 10, artworkID: "a",
            artworkURL: URL(filePath: "/"))
        #expect(player.content?.id == "1")
    }
}
