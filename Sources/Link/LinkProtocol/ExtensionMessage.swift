package import DBus
package import Foundation
package import HostInterface

/// A message of an extension to the host: one case for each method of `org.mdhost.HostLink1` except `Hello`.
package enum ExtensionMessage: LinkMessage {
    case foundDevice(DeviceDescription)
    case updateDevices([DeviceDescription])
    case lostDevice(id: String)
    case discoveryFailed(HostError)
    /// The volume changed; `level` is `nil` if the device reports none.
    case volumeChanged(device: String, level: Double?, isMuted: Bool)
    case requestPairingCode(device: String, session: String, challenge: PairingChallenge)
    case activatedDevice(device: String, session: String)
    case failedToActivate(device: String, session: String, error: HostError)
    /// Playback started; `application` is empty for the device's own player.
    case started(session: String, application: String, state: PlaybackState)
    case playbackChanged(session: String, state: PlaybackState)
    case sessionFailed(session: String, error: HostError)
    /// Playback ended by itself; `ending` is `nil` if the device doesn't tell how, and an empty text in the message.
    case sessionEnded(session: String, ending: ReportedEnding?)
    case receiveData(Data, application: String, session: String)
    case reportQuality(session: String, thresholdsMet: Bool)
    case measureQuality(session: String, quality: DeliveryQuality)
    /// Stores a secret; `nil` removes it.
    case setCredential(device: String, secret: Data?)
    /// Stores the token by which the extension recognizes the playback; empty for none.
    case setAdoptionToken(session: String, token: Data)
    case browse(browser: UInt32, request: BrowseRequest)
    case cancelBrowse(browser: UInt32)
    case announce(announcement: UInt32, request: AnnounceRequest)
    case cancelAnnouncement(announcement: UInt32)
    case bluetooth(request: UInt32, order: BluetoothOrder)
    case central(manager: UInt32, request: CentralRequest)
    /// Has the session's media read and decoded by a program of the host, which serves on the socket: see `ReaderPacket`.
    case readMedia(session: String, socket: ReaderSocket)
    /// The state of a remote session changed.
    case mediaSessionChanged(session: String, state: MediaSessionState)
}

extension ExtensionMessage {
    package enum Member: String, LinkMember {
        case foundDevice = "FoundDevice"
        case updateDevices = "UpdateDevices"
        case lostDevice = "LostDevice"
        case discoveryFailed = "DiscoveryFailed"
        case volumeChanged = "VolumeChanged"
        case requestPairingCode = "RequestPairingCode"
        case activatedDevice = "ActivatedDevice"
        case failedToActivate = "FailedToActivate"
        case started = "Started"
        case playbackChanged = "PlaybackChanged"
        case sessionFailed = "SessionFailed"
        case sessionEnded = "SessionEnded"
        case receiveData = "ReceiveData"
        case reportQuality = "ReportQuality"
        case measureQuality = "MeasureQuality"
        case setCredential = "SetCredential"
        case setAdoptionToken = "SetAdoptionToken"
        case browse = "Browse"
        case cancelBrowse = "CancelBrowse"
        case announce = "Announce"
        case cancelAnnouncement = "CancelAnnouncement"
        case bluetooth = "Bluetooth"
        case central = "Central"
        case readMedia = "ReadMedia"
        case mediaSessionChanged = "MediaSessionChanged"

        package var arguments: [(name: String, signature: String)] {
            switch self {
            case .foundDevice: [("device", "a{sv}")]
            case .updateDevices: [("devices", "aa{sv}")]
            case .lostDevice: [("device", "s")]
            case .discoveryFailed: [("code", "s"), ("message", "s")]
            case .volumeChanged: [("device", "s"), ("level", "d"), ("muted", "b")]
            case .requestPairingCode: [("device", "s"), ("session", "s"), ("challenge", "a{sv}")]
            case .activatedDevice: [("device", "s"), ("session", "s")]
            case .failedToActivate: [("device", "s"), ("session", "s"), ("code", "s"), ("message", "s")]
            case .started: [("session", "s"), ("application", "s"), ("state", "a{sv}")]
            case .playbackChanged: [("session", "s"), ("state", "a{sv}")]
            case .sessionFailed: [("session", "s"), ("code", "s"), ("message", "s")]
            case .sessionEnded: [("session", "s"), ("ending", "s")]
            case .receiveData: [("data", "ay"), ("application", "s"), ("session", "s")]
            case .reportQuality: [("passed", "b"), ("session", "s")]
            case .measureQuality: [("session", "s"), ("quality", "a{sv}")]
            case .setCredential: [("device", "s"), ("secret", "ay")]
            case .setAdoptionToken: [("session", "s"), ("token", "ay")]
            case .browse: [("browser", "u"), ("request", "a{sv}")]
            case .cancelBrowse: [("browser", "u")]
            case .announce: [("announcement", "u"), ("request", "a{sv}")]
            case .cancelAnnouncement: [("announcement", "u")]
            case .bluetooth: [("request", "u"), ("order", "a{sv}")]
            case .central: [("manager", "u"), ("request", "a{sv}")]
            case .readMedia: [("session", "s"), ("socket", "h")]
            case .mediaSessionChanged: [("session", "s"), ("state", "a{sv}")]
            }
        }
    }

    package var member: Member {
        switch self {
        case .foundDevice: .foundDevice
        case .updateDevices: .updateDevices
        case .lostDevice: .lostDevice
        case .discoveryFailed: .discoveryFailed
        case .volumeChanged: .volumeChanged
        case .requestPairingCode: .requestPairingCode
        case .activatedDevice: .activatedDevice
        case .failedToActivate: .failedToActivate
        case .started: .started
        case .playbackChanged: .playbackChanged
        case .sessionFailed: .sessionFailed
        case .sessionEnded: .sessionEnded
        case .receiveData: .receiveData
        case .reportQuality: .reportQuality
        case .measureQuality: .measureQuality
        case .setCredential: .setCredential
        case .setAdoptionToken: .setAdoptionToken
        case .browse: .browse
        case .cancelBrowse: .cancelBrowse
        case .announce: .announce
        case .cancelAnnouncement: .cancelAnnouncement
        case .bluetooth: .bluetooth
        case .central: .central
        case .readMedia: .readMedia
        case .mediaSessionChanged: .mediaSessionChanged
        }
    }

    package func arguments() throws(DBusError) -> [DBusValue] {
        switch self {
        case .foundDevice(let device): [try dictionary(device)]
        case .updateDevices(let devices): [try dictionaries(devices)]
        case .lostDevice(let device): [.string(device)]
        case .discoveryFailed(let error): Self.words(of: error)
        case .volumeChanged(let device, let level, let isMuted):
            [.string(device), .double(level ?? -1), .boolean(isMuted)]
        case .requestPairingCode(let device, let session, let challenge):
            [.string(device), .string(session), try dictionary(challenge)]
        case .activatedDevice(let device, let session): [.string(device), .string(session)]
        case .failedToActivate(let device, let session, let error):
            [.string(device), .string(session)] + Self.words(of: error)
        case .started(let session, let application, let state):
            [.string(session), .string(application), try dictionary(state)]
        case .playbackChanged(let session, let state): [.string(session), try dictionary(state)]
        case .sessionFailed(let session, let error): [.string(session)] + Self.words(of: error)
        case .sessionEnded(let session, let ending): [.string(session), .string(ending?.rawValue ?? "")]
        case .receiveData(let data, let application, let session):
            [.bytes(Array(data)), .string(application), .string(session)]
        case .reportQuality(let session, let thresholdsMet): [.boolean(thresholdsMet), .string(session)]
        case .measureQuality(let session, let quality): [.string(session), try dictionary(quality)]
        case .setCredential(let device, let secret): [.string(device), .bytes(Array(secret ?? Data()))]
        case .setAdoptionToken(let session, let token): [.string(session), .bytes(Array(token))]
        case .browse(let browser, let request): [.uint32(browser), try dictionary(request)]
        case .cancelBrowse(let browser): [.uint32(browser)]
        case .announce(let announcement, let request): [.uint32(announcement), try dictionary(request)]
        case .cancelAnnouncement(let announcement): [.uint32(announcement)]
        case .bluetooth(let request, let order): [.uint32(request), try dictionary(order)]
        case .central(let manager, let request): [.uint32(manager), try dictionary(request)]
        case .readMedia(let session, let socket): [.string(session), .fileDescriptor(socket.descriptor)]
        case .mediaSessionChanged(let session, let state): [.string(session), try dictionary(state)]
        }
    }

    private static func words(of error: HostError) -> [DBusValue] {
        [.string(error.code.rawValue), .string(error.message)]
    }

    /// Reads a message of an extension, which isn't trusted.
    ///
    /// Numbers out of range are clamped and control characters in text replaced. Identifiers, which become object paths
    /// and keys, are refused unless well formed.
    package init(_ member: Member, _ values: [DBusValue]) throws(MalformedMessage) {
        var arguments = ArgumentReader(values)
        switch member {
        case .foundDevice: self = .foundDevice(try arguments.device())
        case .updateDevices: self = .updateDevices(try arguments.devices())
        case .lostDevice: self = .lostDevice(id: try arguments.deviceIdentifier())
        case .discoveryFailed: self = .discoveryFailed(try arguments.error())
        case .volumeChanged:
            self = .volumeChanged(
                device: try arguments.deviceIdentifier(), level: try arguments.level(), isMuted: try arguments.flag())
        case .requestPairingCode:
            self = .requestPairingCode(
                device: try arguments.deviceIdentifier(), session: try arguments.session(),
                challenge: try arguments.challenge())
        case .activatedDevice:
            self = .activatedDevice(device: try arguments.deviceIdentifier(), session: try arguments.session())
        case .failedToActivate:
            self = .failedToActivate(
                device: try arguments.deviceIdentifier(), session: try arguments.session(),
                error: try arguments.error())
        case .started:
            self = .started(
                session: try arguments.session(), application: try arguments.text(),
                state: try arguments.playbackState())
        case .playbackChanged:
            self = .playbackChanged(session: try arguments.session(), state: try arguments.playbackState())
        case .sessionFailed:
            self = .sessionFailed(session: try arguments.session(), error: try arguments.error())
        case .sessionEnded:
            self = .sessionEnded(
                session: try arguments.session(), ending: ReportedEnding(rawValue: try arguments.text()))
        case .receiveData:
            self = .receiveData(
                try arguments.data(limit: 1 << 20), application: try arguments.text(), session: try arguments.session())
        case .reportQuality:
            let thresholdsMet = try arguments.flag()
            self = .reportQuality(session: try arguments.session(), thresholdsMet: thresholdsMet)
        case .measureQuality:
            self = .measureQuality(session: try arguments.session(), quality: try arguments.quality())
        case .setCredential:
            let device = try arguments.deviceIdentifier()
            let secret = try arguments.data(limit: 1 << 16)
            self = .setCredential(device: device, secret: secret.isEmpty ? nil : secret)
        case .setAdoptionToken:
            self = .setAdoptionToken(session: try arguments.session(), token: try arguments.data(limit: 1 << 12))
        case .browse:
            self = .browse(browser: try arguments.number(), request: try arguments.browseRequest())
        case .cancelBrowse: self = .cancelBrowse(browser: try arguments.number())
        case .announce:
            self = .announce(announcement: try arguments.number(), request: try arguments.announceRequest())
        case .cancelAnnouncement: self = .cancelAnnouncement(announcement: try arguments.number())
        case .bluetooth:
            self = .bluetooth(request: try arguments.number(), order: try arguments.bluetoothOrder())
        case .central:
            self = .central(manager: try arguments.number(), request: try arguments.centralRequest())
        case .readMedia:
            self = .readMedia(
                session: try arguments.session(), socket: ReaderSocket(try arguments.descriptor()))
        case .mediaSessionChanged:
            self = .mediaSessionChanged(session: try arguments.text(), state: try arguments.mediaSessionState())
        }
    }
}
