package import DBus
package import Foundation
package import HostInterface

/// A call of an extension by the host: one case for each method of `org.mdhost.ExtensionLink1`.
package enum ExtensionCall: LinkMessage {
    /// Checks that the author's code doesn't block the main actor.
    case ping
    case startDeviceDiscovery
    case stopDeviceDiscovery
    case activate(DeviceDescription, session: String, capabilities: DeviceDescription.Capabilities, credential: Data?)
    /// `code` is `nil` when the person cancelled.
    case connectUsingPairingCode(code: String?, device: String, session: String)
    case deactivate(device: String, session: String)
    /// Sets the volume, `0.0...1.0`.
    case setVolume(device: String, level: Double)
    case changeVolume(device: String, increments: Int32)
    case muteDevice(device: String)
    /// Reads the volume; the reply is ``VolumeReading``.
    case readVolume(device: String)
    /// `identifier` is `nil` for the device's default player.
    case startSession(session: String, identifier: String?, url: String, media: MediaInformation)
    /// Adopts the playback of an earlier process. The answer is `started` if the device still plays it, otherwise
    /// `sessionEnded`.
    case adoptSession(session: String, identifier: String?, url: String, media: MediaInformation, token: Data?)
    /// Takes control of the playback that another sender started on the session's device. The answer is as for
    /// ``adoptSession(session:identifier:url:media:token:)``.
    case takeControl(session: String)
    case stopSession(session: String)
    /// Starts a delivery of live samples; the extension needs not report its start.
    case startSampleDelivery(session: String, samples: DeliveredSamples, media: MediaInformation)
    case stopSampleDelivery(session: String)
    /// Changes the information about a session's media.
    case updateMediaInformation(session: String, media: MediaInformation)
    case sendData(Data, application: String, session: String)
    /// Begins to serve a data channel, which an app has the other end of. `socket` is a stream of data frames.
    case openDataChannel(DBusDescriptor, application: String, session: String)
    case playbackCommand(session: String, PlaybackCommand)
    case browserEvents(browser: UInt32, [BrowseEvent])
    case announcementEvents(announcement: UInt32, [AnnounceEvent])
    case bluetoothAnswers(request: UInt32, [BluetoothAnswer])
    case centralEvents(manager: UInt32, [CentralEvent])
}

extension ExtensionCall {
    package enum Member: String, LinkMember {
        case ping = "Ping"
        case startDeviceDiscovery = "StartDeviceDiscovery"
        case stopDeviceDiscovery = "StopDeviceDiscovery"
        case activate = "ActivateDevice"
        case connectUsingPairingCode = "ConnectUsingPairingCode"
        case deactivate = "DeactivateDevice"
        case setVolume = "SetVolume"
        case changeVolume = "ChangeVolume"
        case muteDevice = "MuteDevice"
        case readVolume = "GetVolume"
        case startSession = "StartSession"
        case adoptSession = "AdoptSession"
        case takeControl = "TakeControl"
        case stopSession = "StopSession"
        case startSampleDelivery = "StartSampleDelivery"
        case stopSampleDelivery = "StopSampleDelivery"
        case updateMediaInformation = "UpdateMediaInformation"
        case sendData = "SendData"
        case openDataChannel = "OpenDataChannel"
        case playbackCommand = "PlaybackCommand"
        case browserEvents = "BrowserEvents"
        case announcementEvents = "AnnouncementEvents"
        case bluetoothAnswers = "BluetoothAnswers"
        case centralEvents = "CentralEvents"

        package var arguments: [(name: String, signature: String)] {
            switch self {
            case .ping, .startDeviceDiscovery, .stopDeviceDiscovery: []
            case .activate: [("description", "a{sv}"), ("session", "s"), ("capabilities", "x"), ("credential", "ay")]
            case .connectUsingPairingCode: [("cancelled", "b"), ("code", "s"), ("device", "s"), ("session", "s")]
            case .deactivate: [("device", "s"), ("session", "s")]
            case .setVolume: [("device", "s"), ("level", "d")]
            case .changeVolume: [("device", "s"), ("increments", "i")]
            case .muteDevice, .readVolume: [("device", "s")]
            case .startSession: [("session", "s"), ("identifier", "s"), ("url", "s"), ("information", "a{sv}")]
            case .adoptSession:
                [("session", "s"), ("identifier", "s"), ("url", "s"), ("information", "a{sv}"), ("token", "ay")]
            case .takeControl, .stopSession, .stopSampleDelivery: [("session", "s")]
            case .startSampleDelivery: [("session", "s"), ("samples", "a{sv}"), ("information", "a{sv}")]
            case .updateMediaInformation: [("session", "s"), ("information", "a{sv}")]
            case .sendData: [("data", "ay"), ("application", "s"), ("session", "s")]
            case .openDataChannel: [("socket", "h"), ("application", "s"), ("session", "s")]
            case .playbackCommand: [("session", "s"), ("command", "a{sv}")]
            case .browserEvents: [("browser", "u"), ("events", "aa{sv}")]
            case .announcementEvents: [("announcement", "u"), ("events", "aa{sv}")]
            case .bluetoothAnswers: [("request", "u"), ("answers", "aa{sv}")]
            case .centralEvents: [("manager", "u"), ("events", "aa{sv}")]
            }
        }

        package var results: [(name: String, signature: String)] {
            self == .readVolume ? [("level", "d"), ("muted", "b")] : []
        }
    }

    package var member: Member {
        switch self {
        case .ping: .ping
        case .startDeviceDiscovery: .startDeviceDiscovery
        case .stopDeviceDiscovery: .stopDeviceDiscovery
        case .activate: .activate
        case .connectUsingPairingCode: .connectUsingPairingCode
        case .deactivate: .deactivate
        case .setVolume: .setVolume
        case .changeVolume: .changeVolume
        case .muteDevice: .muteDevice
        case .readVolume: .readVolume
        case .startSession: .startSession
        case .adoptSession: .adoptSession
        case .takeControl: .takeControl
        case .stopSession: .stopSession
        case .startSampleDelivery: .startSampleDelivery
        case .stopSampleDelivery: .stopSampleDelivery
        case .updateMediaInformation: .updateMediaInformation
        case .sendData: .sendData
        case .openDataChannel: .openDataChannel
        case .playbackCommand: .playbackCommand
        case .browserEvents: .browserEvents
        case .announcementEvents: .announcementEvents
        case .bluetoothAnswers: .bluetoothAnswers
        case .centralEvents: .centralEvents
        }
    }

    package func arguments() throws(DBusError) -> [DBusValue] {
        switch self {
        case .ping, .startDeviceDiscovery, .stopDeviceDiscovery: []
        case .activate(let device, let session, let capabilities, let credential):
            [
                try dictionary(device), .string(session), .int64(Int64(capabilities.rawValue)),
                .bytes(Array(credential ?? Data())),
            ]
        case .connectUsingPairingCode(let code, let device, let session):
            [.boolean(code == nil), .string(code ?? ""), .string(device), .string(session)]
        case .deactivate(let device, let session): [.string(device), .string(session)]
        case .setVolume(let device, let level):
            [.string(device), .double(level.isNaN ? 0 : min(max(level, 0), 1))]
        case .changeVolume(let device, let increments): [.string(device), .int32(increments)]
        case .muteDevice(let device), .readVolume(let device): [.string(device)]
        case .startSession(let session, let identifier, let url, let media):
            [.string(session), .string(identifier ?? ""), .string(url), try dictionary(media)]
        case .adoptSession(let session, let identifier, let url, let media, let token):
            [
                .string(session), .string(identifier ?? ""), .string(url), try dictionary(media),
                .bytes(Array(token ?? Data())),
            ]
        case .takeControl(let session), .stopSession(let session), .stopSampleDelivery(let session): [.string(session)]
        case .startSampleDelivery(let session, let samples, let media):
            [.string(session), try dictionary(samples), try dictionary(media)]
        case .updateMediaInformation(let session, let media): [.string(session), try dictionary(media)]
        case .sendData(let data, let application, let session):
            [.bytes(Array(data)), .string(application), .string(session)]
        case .openDataChannel(let socket, let application, let session):
            [.fileDescriptor(socket), .string(application), .string(session)]
        case .playbackCommand(let session, let command): [.string(session), try dictionary(command)]
        case .browserEvents(let browser, let events): [.uint32(browser), try dictionaries(events)]
        case .announcementEvents(let announcement, let events): [.uint32(announcement), try dictionaries(events)]
        case .bluetoothAnswers(let request, let answers): [.uint32(request), try dictionaries(answers)]
        case .centralEvents(let manager, let events): [.uint32(manager), try dictionaries(events)]
        }
    }

    package init(_ member: Member, _ values: [DBusValue]) throws(MalformedMessage) {
        var arguments = ArgumentReader(values)
        switch member {
        case .ping: self = .ping
        case .startDeviceDiscovery: self = .startDeviceDiscovery
        case .stopDeviceDiscovery: self = .stopDeviceDiscovery
        case .activate:
            self = .activate(
                try arguments.hostDevice(), session: try arguments.hostSession(),
                capabilities: .init(rawValue: try arguments.integer()), credential: try arguments.data().nonEmpty)
        case .connectUsingPairingCode:
            let isCancelled = try arguments.flag()
            let code = try arguments.string()
            self = .connectUsingPairingCode(
                code: isCancelled ? nil : code, device: try arguments.deviceIdentifier(),
                session: try arguments.hostSession())
        case .deactivate:
            self = .deactivate(device: try arguments.deviceIdentifier(), session: try arguments.hostSession())
        case .setVolume:
            self = .setVolume(device: try arguments.deviceIdentifier(), level: max(0, try arguments.level() ?? 0))
        case .changeVolume:
            let device = try arguments.deviceIdentifier()
            self = .changeVolume(device: device, increments: Int32(clamping: try arguments.integer()))
        case .muteDevice: self = .muteDevice(device: try arguments.deviceIdentifier())
        case .readVolume: self = .readVolume(device: try arguments.deviceIdentifier())
        case .startSession:
            self = .startSession(
                session: try arguments.hostSession(), identifier: try arguments.string().nonEmpty,
                url: try arguments.string(), media: try arguments.value(MediaInformation.self))
        case .adoptSession:
            self = .adoptSession(
                session: try arguments.hostSession(), identifier: try arguments.string().nonEmpty,
                url: try arguments.string(), media: try arguments.value(MediaInformation.self),
                token: try arguments.data().nonEmpty)
        case .takeControl: self = .takeControl(session: try arguments.hostSession())
        case .stopSession: self = .stopSession(session: try arguments.hostSession())
        case .startSampleDelivery:
            self = .startSampleDelivery(
                session: try arguments.hostSession(), samples: try arguments.value(DeliveredSamples.self),
                media: try arguments.value(MediaInformation.self))
        case .stopSampleDelivery: self = .stopSampleDelivery(session: try arguments.hostSession())
        case .updateMediaInformation:
            self = .updateMediaInformation(
                session: try arguments.hostSession(), media: try arguments.value(MediaInformation.self))
        case .sendData:
            self = .sendData(
                try arguments.data(), application: try arguments.string(), session: try arguments.hostSession())
        case .openDataChannel:
            self = .openDataChannel(
                try arguments.descriptor(), application: try arguments.string(), session: try arguments.hostSession())
        case .playbackCommand:
            self = .playbackCommand(
                session: try arguments.hostSession(), try arguments.value(PlaybackCommand.self))
        case .browserEvents:
            self = .browserEvents(browser: try arguments.number(), try arguments.values(BrowseEvent.self))
        case .announcementEvents:
            self = .announcementEvents(
                announcement: try arguments.number(), try arguments.values(AnnounceEvent.self))
        case .bluetoothAnswers:
            self = .bluetoothAnswers(request: try arguments.number(), try arguments.values(BluetoothAnswer.self))
        case .centralEvents:
            self = .centralEvents(manager: try arguments.number(), try arguments.values(CentralEvent.self))
        }
    }
}

extension Collection {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
