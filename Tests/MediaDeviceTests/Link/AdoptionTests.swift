import DBus
import Foundation
import HostInterface
import MediaDevice
import Testing

/// An extension that can resume the playback of its devices.
@MainActor
final class AdoptingSampleExtension: MediaDeviceExtension, PlaybackAdopting {
    private(set) var adopted: [(playback: EarlierPlayback, session: MediaOutputSession)] = []
    lazy var manager = MediaDeviceRoutingManager.routingManager(for: self)

    required init() {}

    var protocolType: UTType { UTType(exportedAs: "org.mdhost.sample") }
    var supportsSimultaneousSessions: Bool { true }
    func startDeviceDiscovery() {}
    func stopDeviceDiscovery() {}
    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {}
    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {}
    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
    func setVolume(_ volume: Float, for device: MediaOutputDevice) {}
    func volume(for device: MediaOutputDevice) -> Float { 0 }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {}
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }
    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {}
    func stopSession(_ session: MediaOutputSession) {}

    func adoptPlayback(_ playback: EarlierPlayback, in session: MediaOutputSession) {
        adopted.append((playback, session))
    }
}

@MainActor
@Suite("Taking up what an earlier process started", .timeLimit(.minutes(1)))
struct AdoptionTests {
    private static func request(_ identifier: String = "", token: [UInt8] = Array("7".utf8)) -> [DBusValue] {
        [
            .string("s1"), .string(identifier), .string("http://127.0.0.1/film.mp4"),
            .dictionary(key: "s", value: "v", [.string("title"): .variant(.string("A film"))]), .bytes(token),
        ]
    }

    @Test("what played reaches the author, with what the extension gave for it")
    func handedOver() async throws {
        let link = try await ExtensionLink<AdoptingSampleExtension>.greeted()
        try await link.activate()
        try await link.host.call("AdoptSession", Self.request("app"))
        try await link.host.call("AdoptSession", Self.request(token: []))
        let adopted = link.extension.adopted
        let url = try #require(URL(string: "http://127.0.0.1/film.mp4"))
        #expect(
            adopted.map(\.playback) == [
                EarlierPlayback(url: url, applicationIdentifier: "app", token: Data("7".utf8)),
                EarlierPlayback(url: url),
            ])
        #expect(adopted[0].session === adopted[1].session && adopted[0].session.id == "s1")
        #expect(adopted[0].session.mediaInformation?.title == "A film")
    }

    @Test("its control object takes commands, and its absence is the end")
    func answered() async throws {
        let link = try await ExtensionLink<AdoptingSampleExtension>.greeted()
        try await link.activate()
        try await link.host.call("AdoptSession", Self.request())
        let session = try #require(link.extension.adopted.first?.session)
        let control = SampleControl()
        link.manager.started(application: nil, playbackControl: control, session: session)
        #expect(try await link.next().member == "Started")
        try await link.host.call(
            "PlaybackCommand",
            [.string("s1"), try DBusDictionaryEncoder().encode(PlaybackCommand(.setPlaying, flag: true))])
        #expect(control.isPlaying)
        link.manager.sessionEnded(session)
        var member = ""
        while member != "SessionEnded" { member = try await link.next().member }
    }

    @Test("an extension that cannot do it says so")
    func unsupported() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        let error = await #expect(throws: DBusError.self) {
            try await link.host.call("AdoptSession", Self.request())
        }
        #expect(error.map(HostError.init)?.code == .notSupported)
    }

    @Test("the token is told in the order it was given, and not for a session that is over")
    func token() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        try await link.startSession()
        let session = try #require(link.extension.sessions.last)
        link.manager.setAdoptionToken(Data([7]), for: session)
        link.manager.started(application: nil, playbackControl: SampleControl(), session: session)
        #expect(
            try await link.next() == .init(member: "SetAdoptionToken", arguments: [.string("s1"), .bytes([7])]))
        #expect(try await link.next().member == "Started")
        try await link.host.call("StopSession", [.string("s1")])
        link.manager.setAdoptionToken(Data([8]), for: session)
        link.manager.lostDevice(.sample())
        #expect(try await link.next().member == "LostDevice")
    }

    @Test("a request that cannot be read reaches no author")
    func malformed() async throws {
        let link = try await ExtensionLink<AdoptingSampleExtension>.greeted()
        var request = Self.request()
        request[0] = .string("")
        await #expect(throws: DBusError.self) { try await link.host.call("AdoptSession", request) }
        request = Self.request()
        request[2] = .string("no address")
        await #expect(throws: DBusError.self) { try await link.host.call("AdoptSession", request) }
        #expect(link.extension.adopted.isEmpty)
    }
}
