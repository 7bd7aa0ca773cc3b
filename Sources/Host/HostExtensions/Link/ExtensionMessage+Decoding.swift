import DBus
import HostCore
import HostInterface

/// An invalid message from an extension. The host logs it and continues.
struct MalformedMessage: Error, Sendable, Hashable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

extension ExtensionMessage {
    /// Reads the arguments of a call on `org.mdhost.HostLink1` other than Hello.
    ///
    /// Numbers out of range are clamped, text is freed of control characters; identifiers, which become object paths
    /// and keys, are refused unless well formed.
    init(_ member: HostLinkMember, _ values: [DBusValue]) throws(MalformedMessage) {
        var arguments = MessageArguments(values)
        switch member {
        case .hello: throw MalformedMessage("not a message but the greeting")
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
        case .sessionEnded: self = .sessionEnded(session: try arguments.session())
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
            self = .browse(browser: try arguments.browser(), request: try arguments.browseRequest())
        case .cancelBrowse: self = .cancelBrowse(browser: try arguments.browser())
        case .announce:
            self = .announce(announcement: try arguments.browser(), request: try arguments.announceRequest())
        case .cancelAnnouncement: self = .cancelAnnouncement(announcement: try arguments.browser())
        case .bluetooth:
            self = .bluetooth(request: try arguments.browser(), order: try arguments.bluetoothOrder())
        case .central:
            self = .central(manager: try arguments.browser(), request: try arguments.centralRequest())
        case .mediaSessionChanged:
            self = .mediaSessionChanged(session: try arguments.text(), state: try arguments.mediaSessionState())
        }
    }

    /// Returns the approximate size in bytes, which limits the memory of waiting messages.
    static func cost(of values: [DBusValue]) -> Int {
        values.reduce(64) { $0 + cost(of: $1) }
    }

    private static func cost(of value: DBusValue) -> Int {
        switch value {
        case .string(let text), .objectPath(let text), .signature(let text): 16 + text.utf8.count
        case .bytes(let bytes): 16 + bytes.count
        case .array(_, let values), .structure(let values): values.reduce(16) { $0 + cost(of: $1) }
        case .dictionary(_, _, let entries): entries.reduce(16) { $0 + cost(of: $1.key) + cost(of: $1.value) }
        case .variant(let value): 16 + cost(of: value)
        default: 16
        }
    }
}
