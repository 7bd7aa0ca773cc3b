import DBus
import Foundation
import HostInterface
import Testing

@Suite("Values of the link as D-Bus dictionaries", .timeLimit(.minutes(1)))
struct RoundTripTests {
    private func trip<Value: Codable>(_ value: Value) throws -> Value {
        try DBusDictionaryDecoder().decode(Value.self, from: DBusDictionaryEncoder().encode(value))
    }

    @Test func devicePathsLeadBackToTheirDevice() {
        let identifier = "0536744D-E1AF-5A68-A682-886D0CD6223A"
        let path = HostNames.devicePath(identifier)
        #expect(path == "/org/mdhost/devices/0536744d_e1af_5a68_a682_886d0cd6223a")
        #expect(HostNames.deviceIdentifier(path) == identifier)
    }

    @Test func browseRequests() throws {
        for request in [
            BrowseRequest(kind: .bonjour, type: "_mpd._tcp", domain: "local", includesTXT: true),
            BrowseRequest(kind: .ssdp, type: "urn:schemas-upnp-org:device:MediaRenderer:1"),
        ] { #expect(try trip(request) == request) }
    }

    private let item = BrowseItem(
        name: "Küche", type: "_mpd._tcp", domain: "local", interfaces: ["eth0", "wlan0"],
        addresses: ["10.0.0.5", "fe80::1%eth0"], host: "hosta.local", port: 6600,
        txt: ["a": Data([0, 255]), "empty": Data()], location: "http://10.0.0.5/d.xml")

    @Test func browseItemsAndEvents() throws {
        let bare = BrowseItem(name: "", type: "", domain: "")
        #expect(try trip(item) == item)
        #expect(try trip(bare) == bare)
        for event in [BrowseEvent(.found, item: item), BrowseEvent(.settled), BrowseEvent(.waiting, message: "avahi")] {
            #expect(try trip(event) == event)
        }
    }

    private let device = DeviceDescription(
        id: "A6B5", name: "Living Room", capabilities: [.urlPlayback, .appLaunch], type: "tv", volumeControl: .relative,
        canMute: true, canGroup: false, supportsSimultaneousSessions: true,
        endpoints: ["10.0.0.5:8060", "[fe80::1%eth0]:80"], txt: ["k": "v"],
        deduplicationIdentifiers: ["mac:0011223344aa"], leastLatency: 0.7, usualLatency: 2.2)

    @Test func devices() throws {
        var bare = device
        bare.endpoints = []
        bare.txt = [:]
        bare.deduplicationIdentifiers = []
        #expect(try trip(device) == device)
        #expect(try trip(bare) == bare)
        let encoded = try DBusDictionaryEncoder().encode(device)
        #expect(encoded.asDictionary?["capabilities"] == .int64(12))
        #expect(encoded.asDictionary?["txt"]?.signature == "a{ss}")
    }

    @Test func partsOfDevices() throws {
        for part in [
            DevicePart(id: "A", name: "Küche", extension: "org.example", protocol: "p", protocolName: "P"),
            DevicePart(
                id: "A", name: "", extension: "e", protocol: "p", protocolName: "P", availability: "remembered",
                activation: "active", isPaired: true, endpoints: ["10.0.0.5:1"], isCurrent: true, isDeclared: true),
        ] { #expect(try trip(part) == part) }
    }

    @Test func challengesAndMedia() throws {
        let challenge = PairingChallenge(method: .numericCode, length: 6, reason: "Enter the code on the screen.")
        #expect(try trip(challenge) == challenge)
        let encoded = try DBusDictionaryEncoder().encode(challenge)
        #expect(encoded.asDictionary?["method"] == .string("numeric-code"))
        let media = MediaInformation(
            title: "T", artist: "A", artworkURL: "file:///a", contentType: "video/mp4", duration: 60, startPosition: 1.5
        )
        #expect(try trip(media) == media)
        #expect(try trip(MediaInformation()) == MediaInformation())
    }

    @Test func playback() throws {
        #expect(try trip(PlaybackState()) == PlaybackState())
        var state = PlaybackState()
        state.isReady = true
        state.isPlaying = true
        state.mode = .scrubbing
        state.error = HostError(.unreachableURL, "The device cannot open the address.")
        state.timeRange = .init(start: 0, duration: 90.5)
        state.position = .init(value: 3, hostTime: 1e6, rate: 1.5)
        let segment = PlaybackState.Segment(
            timeRange: .init(start: 1, duration: 2), type: 1, isMarked: true, requiresLinearPlayback: true,
            identifier: "ad")
        state.segments = [segment, segment]
        state.currentSegment = segment
        state.seekableRanges = []
        state.audioOptions = [
            .init(name: "English", identifier: "1", language: "en", characteristics: ["x"]),
            .init(name: "Deutsch", identifier: "2", language: nil, characteristics: []),
        ]
        state.currentAudioOption = "2"
        state.artwork = [.init(url: "http://h/a", contentType: "public.png", width: 10, height: 20)]
        state.title = "Title"
        state.presentationWidth = 1920
        #expect(try trip(state) == state)
        // No list of ranges is not an empty one.
        #expect(try trip(state).seekableRanges == [])
        state.seekableRanges = nil
        #expect(try trip(state).seekableRanges == nil)
    }

    @Test func commands() throws {
        let command = PlaybackCommand(.seek, number: 12.5, tolerance: .infinity)
        #expect(try trip(command) == command)
        let select = PlaybackCommand(.selectAudioDescription, identifier: "x")
        #expect(try trip(select) == select)
        let encoded = try DBusDictionaryEncoder().encode(select)
        #expect(encoded.asDictionary?["kind"] == .string("select-audio-description"))
    }

    @Test func aValueFromANewerVersionIsAnErrorThatNamesIt() throws {
        var entries = try #require(try DBusDictionaryEncoder().encode(device).asDictionary)
        entries["volumeControl"] = .string("telepathic")
        entries["novelty"] = .byte(1)
        let error = #expect(throws: DBusError.self) {
            try DBusDictionaryDecoder().decode(DeviceDescription.self, from: .properties(entries))
        }
        #expect(error?.name == DBusError.Name.invalidArguments)
        #expect(error?.message.hasPrefix("volumeControl: ") == true)
    }
}
