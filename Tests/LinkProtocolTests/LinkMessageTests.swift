import DBus
import Foundation
import HostInterface
import LinkProtocol
import Testing

/// Every message, written by one side and read by the other.
struct LinkMessageTests {
    private static let device = "0A1B2C3D-0000-4000-8000-000000000001"
    private static let session = "s-1"
    private static let error = HostError(.unreachable, "It does not answer.")
    private static let secret = Data([1, 2])
    private static let url = "http://10.77.0.4/a.mp3"
    private static let media = MediaInformation(title: "Tone")

    /// A descriptor is not equal to the one that was received, unless it is the same object.
    private static let samples = DeliveredSamples(
        try! SampleFormat(encoding: "s16le"), latency: 0.5, socket: DBusDescriptor(sending: STDIN_FILENO))

    private static let channel = DBusDescriptor(sending: STDIN_FILENO)

    private static var description: DeviceDescription {
        DeviceDescription(
            id: device, name: "Living Room", capabilities: .urlPlayback, type: "speaker", volumeControl: .absolute,
            canMute: true, canGroup: false, supportsSimultaneousSessions: false, endpoints: ["10.0.0.5:8060"],
            txt: ["auth": "pin4"])
    }

    static var messages: [ExtensionMessage] {
        [
            .foundDevice(description), .updateDevices([description, description]), .updateDevices([]),
            .lostDevice(id: device), .discoveryFailed(error),
            .volumeChanged(device: device, level: 0.5, isMuted: true),
            .volumeChanged(device: device, level: nil, isMuted: false),
            .requestPairingCode(
                device: device, session: session,
                challenge: PairingChallenge(method: .numericCode, length: 4, reason: "A code.")),
            .activatedDevice(device: device, session: session),
            .failedToActivate(device: device, session: session, error: error),
            .started(session: session, application: "", state: PlaybackState()),
            .playbackChanged(session: session, state: PlaybackState()), .sessionFailed(session: session, error: error),
            .sessionEnded(session: session, ending: nil), .sessionEnded(session: session, ending: .finished),
            .sessionEnded(session: session, ending: .interrupted),
            .receiveData(secret, application: "app", session: session),
            .reportQuality(session: session, thresholdsMet: true),
            .measureQuality(session: session, quality: DeliveryQuality(packetsSent: 9, latency: 2)),
            .setCredential(device: device, secret: secret), .setCredential(device: device, secret: nil),
            .setAdoptionToken(session: session, token: secret),
            .browse(browser: 1, request: BrowseRequest(kind: .ssdp, type: "ssdp:all")), .cancelBrowse(browser: .max),
            .announce(announcement: 2, request: AnnounceRequest(name: "A", type: "_dacp._tcp", port: 1)),
            .cancelAnnouncement(announcement: 2), .bluetooth(request: 3, order: BluetoothOrder(.browse)),
            .central(manager: 4, request: CentralRequest(.open)),
            .central(manager: 4, request: CentralRequest(.openChannel, number: 2, device: device, psm: 0x81)),
            .readMedia(session: session, socket: ReaderSocket(DBusDescriptor(sending: 0))),
            .mediaSessionChanged(session: session, state: MediaSessionState()),
        ]
    }

    static var calls: [ExtensionCall] {
        [
            .ping, .startDeviceDiscovery, .stopDeviceDiscovery,
            .activate(description, session: session, capabilities: .urlPlayback, credential: secret),
            .activate(description, session: session, capabilities: [], credential: nil),
            .connectUsingPairingCode(code: "1234", device: device, session: session),
            .connectUsingPairingCode(code: nil, device: device, session: session),
            .deactivate(device: device, session: session), .setVolume(device: device, level: 0.25),
            .changeVolume(device: device, increments: -3), .muteDevice(device: device), .readVolume(device: device),
            .startSession(session: session, identifier: nil, url: url, media: media),
            .startSession(session: session, identifier: "app", url: url, media: media),
            .adoptSession(session: session, identifier: nil, url: url, media: media, token: secret),
            .adoptSession(session: session, identifier: "app", url: url, media: media, token: nil),
            .takeControl(session: session), .stopSession(session: session),
            .startSampleDelivery(session: session, samples: samples, media: media),
            .stopSampleDelivery(session: session),
            .updateMediaInformation(session: session, media: MediaInformation(title: "Aria", artist: "Somebody")),
            .sendData(secret, application: "app", session: session),
            .openDataChannel(channel, application: "app", session: session),
            .playbackCommand(session: session, PlaybackCommand(.seek, number: 3, tolerance: 0)),
            .browserEvents(browser: 1, [BrowseEvent(.settled), BrowseEvent(.waiting, message: "No network.")]),
            .announcementEvents(announcement: 2, [.published("A")]),
            .bluetoothAnswers(request: 3, [.failed("not-running", "No.")]), .centralEvents(manager: 4, []),
        ]
    }

    static let sessionCalls: [RemoteSessionCall] = [
        .open(session: "s", attributes: secret, token: Data()), .update(session: "s", attributes: secret),
        .close(session: "s"), .setToken(session: "s", secret),
    ]

    @Test(arguments: messages) func messageOfAnExtensionIsReadAsWritten(_ message: ExtensionMessage) throws {
        try Self.crosses(message)
    }

    @Test(arguments: calls) func callOfTheHostIsReadAsWritten(_ call: ExtensionCall) throws { try Self.crosses(call) }

    @Test(arguments: sessionCalls) func callOfARemoteSessionIsReadAsWritten(_ call: RemoteSessionCall) throws {
        try Self.crosses(call)
    }

    @Test func everyMethodIsTried() {
        #expect(Set(Self.messages.map(\.member)) == Set(ExtensionMessage.Member.allCases))
        #expect(Set(Self.calls.map(\.member)) == Set(ExtensionCall.Member.allCases))
        #expect(Set(Self.sessionCalls.map(\.member)) == Set(RemoteSessionCall.Member.allCases))
    }

    @Test func tooFewArgumentsAndWrongTypesAreRefused() throws {
        for member in ExtensionMessage.Member.allCases {
            #expect(throws: MalformedMessage.self) { try ExtensionMessage(member, []) }
        }
        for member in ExtensionCall.Member.allCases where !member.arguments.isEmpty {
            #expect(throws: MalformedMessage.self) { try ExtensionCall(member, []) }
            #expect(throws: MalformedMessage.self) { try ExtensionCall(member, [.array(of: "s", [.string("")])]) }
        }
    }

    /// Terminals show the logs in which refusals repeat parts of a message.
    @Test func aRefusalRepeatsNoEscapeSequences() throws {
        let error = #expect(throws: MalformedMessage.self) {
            try ExtensionMessage(.lostDevice, [.string("\u{1B}[2J" + String(repeating: "x", count: 3000))])
        }
        let reason = try #require(error?.reason)
        #expect(!reason.unicodeScalars.contains("\u{1B}") && reason.count < 100)
    }

    /// The arguments have the declared signatures, and make the same message again.
    private static func crosses<Message: LinkMessage>(_ message: Message) throws {
        let arguments = try message.arguments()
        let written = arguments.map { $0.signature == "av" ? "aa{sv}" : $0.signature }
        #expect(written == message.member.arguments.map(\.signature))
        #expect(try Message(message.member, arguments) == message)
    }
}
