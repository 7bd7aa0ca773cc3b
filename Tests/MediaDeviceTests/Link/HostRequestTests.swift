import DBus
import Foundation
import HostInterface
import MediaDevice
import Testing

@MainActor
@Suite("What the host asks", .timeLimit(.minutes(1)))
struct HostRequestTests {
    private let device = MediaOutputDevice.sample()
    private var id: DBusValue { .string(device.id.uuidString) }

    @Test("hello says who the extension is, and the welcome reaches it")
    func hello() async throws {
        let link = try await LinkedExtension()
        for await greeting in link.host.greetings {
            let about = try #require(greeting.asDictionary)
            #expect(about["linkVersion"]?.asInt64 == 1)
            #expect(about["protocolIdentifier"]?.asString == "org.mdhost.sample")
            #expect(about["supportsSimultaneousSessions"]?.asBool == true)
            #expect(about["sdkVersion"]?.asString?.isEmpty == false)
            break
        }
        try await link.host.call("StartDeviceDiscovery")
        #expect(link.manager.stateDirectory?.path == "/tmp/sample-state")
        #expect(link.manager.hostName == "sample")
    }

    @Test("every request reaches the author's method")
    func everyRequest() async throws {
        let link = try await LinkedExtension.greeted()
        let relative = MediaOutputDevice.sample("Speaker", id: UUID(version5: "speaker"), volumeControl: .relative)
        try await link.host.call("StartDeviceDiscovery")
        try await link.activate(device)
        try await link.activate(relative)
        try await link.host.call("ConnectUsingPairingCode", [.boolean(false), .string("1234"), id, .string("s1")])
        try await link.host.call("ConnectUsingPairingCode", [.boolean(true), .string(""), id, .string("s1")])
        try await link.host.call("SetVolume", [id, .double(0.25)])
        try await link.host.call("SetVolume", [id, .double(17)])
        try await link.host.call("ChangeVolume", [.string(relative.id.uuidString), .int32(-3)])
        try await link.host.call("MuteDevice", [id])
        try await link.host.call(
            "StartSession",
            [
                .string("s1"), .string("app"), .string("http://127.0.0.1/film.mp4"),
                .dictionary(key: "s", value: "v", [.string("title"): .variant(.string("A film"))]),
            ])
        try await link.host.call("SendData", [.bytes([1, 2, 3]), .string("app"), .string("s1")])
        try await link.host.call("StopSession", [.string("s1")])
        try await link.host.call("StopSession", [.string("s1")])
        try await link.host.call("DeactivateDevice", [id, .string("s1")])
        try await link.host.call("StopDeviceDiscovery")

        #expect(
            link.extension.requests == [
                .startDeviceDiscovery,
                .activate(device.id, name: "Television", session: "s1", 4),
                .activate(relative.id, name: "Speaker", session: "s1", 4),
                .connect("1234", device.id, session: "s1"),
                .connect(nil, device.id, session: "s1"),
                .setVolume(0.25, device.id),
                .setVolume(1, device.id),
                .changeVolume(-3, relative.id),
                .mute(device.id),
                .startSession("s1", identifier: "app", URL(string: "http://127.0.0.1/film.mp4")!),
                .sendData(Data([1, 2, 3]), "app", session: "s1"),
                .stopSession("s1"),
                .deactivate(device.id, session: "s1"),
                .stopDeviceDiscovery,
            ])
        #expect(link.extension.sessions[4].mediaInformation?.title == "A film")
    }

    @Test("one session object serves a session until it is stopped")
    func sessionIdentity() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        try await link.startSession()
        try await link.host.call("StopSession", [.string("s1")])
        try await link.startSession()
        let sessions = link.extension.sessions
        #expect(sessions[0] === sessions[1] && sessions[1] === sessions[2])
        #expect(sessions[3] !== sessions[2] && sessions[3].id == "s1")
        #expect(sessions[3].mediaInformation == nil)
    }

    @Test("a device that this process never found is made from what the host remembers")
    func rememberedDevice() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate(.sample("From the cache"))
        let device = try #require(link.extension.activated.first)
        #expect(device.displayName == "From the cache")
        #expect(device.capabilities == [.urlPlayback, .appLaunch])
        #expect(device.volumeControl == .absolute)
        #expect(device.networkEndpoints == MediaOutputDevice.sample().networkEndpoints)
        #expect(device.txtRecords.first?.dictionary == ["model": "T-1"])
    }

    @Test("a device that this process found is the one it found")
    func foundDevice() async throws {
        let link = try await LinkedExtension.greeted()
        link.manager.foundDevice(.sample("As found"))
        try await link.activate(.sample("From the cache"))
        #expect(link.extension.activated.map(\.displayName) == ["As found"])
    }

    @Test("the level is read from the extension, clamped; a device without one has -1")
    func readVolume() async throws {
        let link = try await LinkedExtension.greeted()
        link.manager.foundDevice(device)
        link.extension.isMuted = true
        #expect(try await link.host.call("GetVolume", [id]) == [.double(0.5), .boolean(true)])
        link.extension.level = 3
        #expect(try await link.host.call("GetVolume", [id]) == [.double(1), .boolean(true)])
        link.extension.level = .nan
        #expect(try await link.host.call("GetVolume", [id]) == [.double(-1), .boolean(true)])
        link.manager.foundDevice(.sample(volumeControl: .relative, canMute: false))
        link.extension.level = 0.5
        #expect(try await link.host.call("GetVolume", [id]) == [.double(-1), .boolean(false)])
    }

    @Test("a stored secret is at hand when the device is activated")
    func credential() async throws {
        let link = try await LinkedExtension.greeted()
        var seen: [Data?] = []
        link.extension.onRequest = { [link, device] _ in seen.append(link.manager.credential(for: device)) }
        try await link.activate(credential: [7, 8])
        try await link.activate()
        #expect(seen == [Data([7, 8]), nil])
    }

    @Test("requests for what is not there are answered with their reason, and reach no author")
    func absent() async throws {
        let link = try await LinkedExtension.greeted()
        let unknown = DBusValue.string(UUID(version5: "unknown").uuidString)
        link.manager.foundDevice(.sample(volumeControl: .none, canMute: false))
        let cases: [(String, [DBusValue], HostError.Code)] = [
            ("SetVolume", [unknown, .double(0)], .noSuchDevice),
            ("GetVolume", [unknown], .noSuchDevice),
            ("DeactivateDevice", [unknown, .string("s1")], .noSuchDevice),
            ("ConnectUsingPairingCode", [.boolean(false), .string("1"), id, .string("s9")], .noSuchSession),
            ("SendData", [.bytes([]), .string(""), .string("s9")], .noSuchSession),
            (
                "PlaybackCommand", [.string("s9"), try DBusDictionaryEncoder().encode(PlaybackCommand(.seek))],
                .noSuchSession
            ),
            ("SetVolume", [id, .double(0)], .notSupported),
            ("ChangeVolume", [id, .int32(1)], .notSupported),
            ("MuteDevice", [id], .notSupported),
        ]
        for (member, arguments, code) in cases {
            let error = await #expect(throws: DBusError.self, "\(member)") {
                try await link.host.call(member, arguments)
            }
            #expect(error.map(HostError.init)?.code == code, "\(member)")
        }
        #expect(link.extension.requests.isEmpty)
    }
}
