import DBus
import Foundation
import HostInterface
import LinkProtocol

/// Good messages of the link, from which bad ones are made.
enum SampleValues {
    struct Sample {
        var member: String
        var arguments: [DBusValue]
    }

    static let words = ["s", "v", "x", "d", "a\u{1}", "e\u{1}", "b\u{1}", device, "Living Room", "ready", "url"]

    private static let device = "0A1B2C3D-0000-4000-8000-000000000001"

    private static var description: DeviceDescription {
        DeviceDescription(
            id: device, name: "Living Room", capabilities: .urlPlayback, type: "speaker", volumeControl: .absolute,
            canMute: true, canGroup: false, supportsSimultaneousSessions: false,
            endpoints: ["10.0.0.5:8060", "[fe80::1%eth0]:80"], txt: ["auth": "pin4"])
    }

    private static var state: PlaybackState {
        var state = PlaybackState()
        state.isPlaying = true
        state.timeRange = .init(start: 0, duration: 30)
        state.position = .init(value: 1.5, hostTime: 100, rate: 1)
        state.volume = 0.5
        state.title = "Tone"
        state.segments = [
            .init(timeRange: state.timeRange, type: 0, isMarked: false, requiresLinearPlayback: true, identifier: "a")
        ]
        state.currentSegment = state.segments.first
        state.seekableRanges = [state.timeRange]
        state.audioOptions = [.init(name: "English", identifier: "en", language: "en", characteristics: ["a"])]
        state.currentAudioOption = "en"
        state.artwork = [.init(url: "http://h/x.jpg", contentType: "public.jpeg", width: 100, height: 100)]
        state.error = HostError(.unreachable, "Gone.")
        return state
    }

    private static var challenge: PairingChallenge { .init(method: .numericCode, length: 4, reason: "A code.") }
    private static var item: BrowseItem {
        BrowseItem(
            name: "Open Room", type: "_mpd._tcp", domain: "local", interfaces: ["eth0"], addresses: ["10.77.0.3"],
            host: "c.local", port: 6600, txt: ["a": Data("b".utf8)])
    }

    private static var greeting: LinkGreeting {
        LinkGreeting(protocolIdentifier: "org.example.p", supportsSimultaneousSessions: true)
    }

    private static var announcement: AnnounceRequest {
        AnnounceRequest(
            name: "iTunes_Ctrl_1", type: "_dacp._tcp", port: 3689, txt: ["txtvers": Data("1".utf8)], interface: "eth0")
    }

    private static func dictionary(_ value: some Encodable) throws -> DBusValue {
        try DBusDictionaryEncoder().encode(value)
    }

    /// Each of them as its own dictionary, and objects as clients see them.
    static var records: [DBusValue] {
        get throws {
            [
                try dictionary(description), try dictionary(state), try dictionary(challenge),
                try dictionary(PlaybackCommand(.seek, number: 3, tolerance: 0)),
                try dictionary(MediaInformation(title: "Tone", artist: "The Oscillators", duration: 30)),
                try dictionary(BrowseRequest(kind: .bonjour, type: "_mpd._tcp", includesTXT: true)),
                try dictionary(BrowseEvent(.found, item: item)), try dictionary(announcement),
                try dictionary(AnnounceEvent.failed(.tooMany, "No more.")),
                .properties([
                    "Id": .string(device), "Name": .string("Living Room"), "Volume": .double(0.5),
                    "Capabilities": .strings(["url-playback"]), "CanMute": .boolean(true),
                ]),
                .properties(["Id": .string("s1"), "State": .string("active"), "Playback": try dictionary(state)]),
            ]
        }
    }

    /// One of each method of the host, in the order of its methods.
    static var messages: [Sample] {
        get throws {
            let (device, session) = (DBusValue.string(device), DBusValue.string("s-1"))
            let error = [DBusValue.string("unreachable"), .string("It does not answer.")]
            let arguments: [(String, [DBusValue])] = [
                ("Hello", [try dictionary(greeting)]), ("FoundDevice", [try dictionary(description)]),
                ("UpdateDevices", [.array(of: "a{sv}", [try dictionary(description)])]), ("LostDevice", [device]),
                ("DiscoveryFailed", error), ("VolumeChanged", [device, .double(0.5), .boolean(false)]),
                ("RequestPairingCode", [device, session, try dictionary(challenge)]),
                ("ActivatedDevice", [device, session]), ("FailedToActivate", [device, session] + error),
                ("Started", [session, .string(""), try dictionary(state)]),
                ("PlaybackChanged", [session, try dictionary(state)]), ("SessionFailed", [session] + error),
                ("SessionEnded", [session, .string("finished")]),
                ("ReceiveData", [.bytes([1, 2]), .string("app"), session]),
                ("ReportQuality", [.boolean(true), session]),
                ("MeasureQuality", [session, try dictionary(DeliveryQuality(packetsSent: 9, latency: 2))]),
                ("SetCredential", [device, .bytes([1, 2])]),
                ("SetAdoptionToken", [session, .bytes([1])]),
                ("Browse", [.uint32(1), try dictionary(BrowseRequest(kind: .ssdp, type: "ssdp:all"))]),
                ("CancelBrowse", [.uint32(1)]), ("Announce", [.uint32(1), try dictionary(announcement)]),
                ("CancelAnnouncement", [.uint32(1)]),
                ("Bluetooth", [.uint32(1), try dictionary(BluetoothOrder(.browse))]),
                ("Central", [.uint32(1), try dictionary(CentralRequest(.open))]),
            ]
            return arguments.map { Sample(member: $0.0, arguments: $0.1) }
        }
    }

    /// One of each method of an extension.
    static var requests: [Sample] {
        get throws {
            let (device, session) = (DBusValue.string(device), DBusValue.string("s-1"))
            let media = try dictionary(MediaInformation(title: "Tone"))
            let url = DBusValue.string("http://10.77.0.4:8099/tone.mp3")
            let arguments: [(String, [DBusValue])] = [
                ("Ping", []), ("StartDeviceDiscovery", []), ("StopDeviceDiscovery", []),
                ("ActivateDevice", [try dictionary(description), session, .int64(4), .bytes([1])]),
                ("ConnectUsingPairingCode", [.boolean(false), .string("1234"), device, session]),
                ("DeactivateDevice", [device, session]), ("SetVolume", [device, .double(0.5)]),
                ("ChangeVolume", [device, .int32(-1)]), ("MuteDevice", [device]), ("GetVolume", [device]),
                ("StartSession", [session, .string(""), url, media]),
                ("AdoptSession", [session, .string(""), url, media, .bytes([1])]), ("StopSession", [session]),
                ("SendData", [.bytes([1]), .string("app"), session]),
                ("PlaybackCommand", [session, try dictionary(PlaybackCommand(.setPlaying, flag: true))]),
                (
                    "BrowserEvents",
                    [.uint32(1), .array(of: "a{sv}", [try dictionary(BrowseEvent(.found, item: item))])]
                ),
                (
                    "AnnouncementEvents",
                    [.uint32(1), .array(of: "a{sv}", [try dictionary(AnnounceEvent.published("A"))])]
                ),
                (
                    "BluetoothAnswers",
                    [.uint32(1), .array(of: "a{sv}", [try dictionary(BluetoothAnswer.failed("not-running", "No."))])]
                ),
            ]
            return arguments.map { Sample(member: $0.0, arguments: $0.1) }
        }
    }
}
