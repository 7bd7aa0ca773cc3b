import Foundation
import HostInterface
import Testing

@testable import NowPlaying

@Suite struct RemoteSessionCodingTests {
    struct Attributes: RemoteMediaSessionAttributes, Equatable {
        struct Track: Codable, Equatable { var title: String }
        var id: String
        var since: Date?
        var tracks: [Track] = []
    }

    @Test func whatAnAppSaysComesBack() throws {
        let attributes = Attributes(
            id: "a", since: Date(timeIntervalSince1970: 1_700_000_000), tracks: [.init(title: "é")])
        let data = try RemoteSessionCoding.encode(attributes)
        #expect(String(decoding: data, as: UTF8.self).contains("\"2023-11-14T22:13:20Z\""))
        #expect(try RemoteSessionCoding.decode(Attributes.self, from: data) == attributes)
    }

    @Test(arguments: ["1700000000", "\"2023-11-14T22:13:20Z\"", "\"2023-11-14T22:13:20.000Z\"", "1.7e9"])
    func datesOfServersAreRead(_ date: String) throws {
        let attributes = try RemoteSessionCoding.decode(
            Attributes.self, from: Data("{\"id\": \"a\", \"since\": \(date), \"tracks\": []}".utf8))
        #expect(attributes.since == Date(timeIntervalSince1970: 1_700_000_000))
    }

    @Test(arguments: [
        ("{\"tracks\": []}", "“id” of the attributes is missing."),
        ("{\"id\": 1, \"tracks\": []}", "“id” of the attributes isn't of type String."),
        ("{\"id\": \"a\", \"tracks\": [{\"name\": \"x\"}]}", "“tracks.Index 0.title” of the attributes is missing."),
        (
            "{\"id\": \"a\", \"since\": \"yesterday\", \"tracks\": []}",
            "“since” of the attributes cannot be read: “yesterday” isn't an ISO 8601 date."
        ),
    ])
    func whatCannotBeReadIsTold(_ text: String, _ sentence: String) throws {
        let error = #expect(throws: DecodingError.self) {
            try RemoteSessionCoding.decode(Attributes.self, from: Data(text.utf8))
        }
        #expect(error.map(RemoteSessionCoding.sentence) == sentence)
    }

    @Test(arguments: ["", "{", "[]", "\u{0}", String(repeating: "[", count: 100_000)])
    func whatIsNoObjectIsAnError(_ text: String) {
        #expect(throws: DecodingError.self) {
            try RemoteSessionCoding.decode(Attributes.self, from: Data(text.utf8))
        }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PushTokenTests {
    @Test func readersGetTheTokenThatThereIsAndEachThatReplacesIt() async {
        let holder = PushTokenHolder()
        holder.set(Data())
        #expect(holder.token == nil)
        holder.set(Data([1]))
        var updates = holder.updates().makeAsyncIterator()
        #expect(await updates.next() == Data([1]))
        holder.set(Data([1]))
        holder.set(Data([2]))
        #expect(await updates.next() == Data([2]))
    }

    @Test func aDeviceShowsWhatCanBeControlled() async throws {
        let device = MediaDevice(
            id: "k", name: "Kitchen", type: .tv, capabilities: [.absoluteVolume(1.5) { _ in }])
        #expect(device.shown == .init(id: "k", name: "Kitchen", type: "tv", level: 1, isStepped: false))
        try await device.setVolume(0.3)
        await #expect(throws: (any Error).self) { try await device.stepVolume(1) }
        let deaf = MediaDevice(id: "d", name: "Deaf", type: .car, capabilities: [])
        #expect(deaf.shown.level == nil)
        await #expect(throws: (any Error).self) { try await deaf.setVolume(1) }
    }
}
