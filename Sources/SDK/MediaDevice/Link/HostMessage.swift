import DBus
import Foundation
import HostInterface

/// A message of an extension to the host: one case for each method of `org.mdhost.HostLink1` except `Hello`.
package enum HostMessage: Sendable, Hashable {
    case foundDevice(DeviceDescription)
    case updateDevices([DeviceDescription])
    case lostDevice(String)
    case discoveryFailed(HostError)
    /// The volume changed; the level is `nil` if the device reports none.
    case volumeChanged(device: String, level: Double?, isMuted: Bool)
    case requestPairingCode(device: String, session: String, PairingChallenge)
    case activatedDevice(device: String, session: String)
    case failedToActivate(device: String, session: String, HostError)
    case started(session: String, application: String, PlaybackState)
    case playbackChanged(session: String, PlaybackState)
    case sessionFailed(session: String, HostError)
    case sessionEnded(session: String)
    case receiveData(Data, application: String, session: String)
    case reportQuality(thresholdsMet: Bool, session: String)
    case measureQuality(session: String, DeliveryQuality)
    /// Stores a secret; `nil` removes it.
    case setCredential(device: String, Data?)
    /// Stores the token by which the extension recognizes the playback; empty for none.
    case setAdoptionToken(session: String, Data)
    case browse(browser: UInt32, BrowseRequest)
    case cancelBrowse(browser: UInt32)
    case announce(announcement: UInt32, AnnounceRequest)
    case cancelAnnouncement(announcement: UInt32)
    case bluetooth(request: UInt32, BluetoothOrder)
    case central(manager: UInt32, CentralRequest)
}

extension HostMessage {
    package var member: String {
        switch self {
        case .foundDevice: "FoundDevice"
        case .updateDevices: "UpdateDevices"
        case .lostDevice: "LostDevice"
        case .discoveryFailed: "DiscoveryFailed"
        case .volumeChanged: "VolumeChanged"
        case .requestPairingCode: "RequestPairingCode"
        case .activatedDevice: "ActivatedDevice"
        case .failedToActivate: "FailedToActivate"
        case .started: "Started"
        case .playbackChanged: "PlaybackChanged"
        case .sessionFailed: "SessionFailed"
        case .sessionEnded: "SessionEnded"
        case .receiveData: "ReceiveData"
        case .reportQuality: "ReportQuality"
        case .measureQuality: "MeasureQuality"
        case .setCredential: "SetCredential"
        case .setAdoptionToken: "SetAdoptionToken"
        case .browse: "Browse"
        case .cancelBrowse: "CancelBrowse"
        case .announce: "Announce"
        case .cancelAnnouncement: "CancelAnnouncement"
        case .bluetooth: "Bluetooth"
        case .central: "Central"
        }
    }

    /// Returns the arguments of the call, in the order and with the signatures of the interface.
    package func arguments() throws -> [DBusValue] {
        let encoder = DBusDictionaryEncoder()
        switch self {
        case .foundDevice(let device): return [try encoder.encode(device)]
        case .updateDevices(let devices): return [.array(of: "a{sv}", try devices.map(encoder.encode))]
        case .lostDevice(let device): return [.string(device)]
        case .discoveryFailed(let error): return Self.words(of: error)
        case .volumeChanged(let device, let level, let isMuted):
            return [.string(device), .double(level ?? -1), .boolean(isMuted)]
        case .requestPairingCode(let device, let session, let challenge):
            return [.string(device), .string(session), try encoder.encode(challenge)]
        case .activatedDevice(let device, let session): return [.string(device), .string(session)]
        case .failedToActivate(let device, let session, let error):
            return [.string(device), .string(session)] + Self.words(of: error)
        case .started(let session, let application, let state):
            return [.string(session), .string(application), try encoder.encode(state)]
        case .playbackChanged(let session, let state): return [.string(session), try encoder.encode(state)]
        case .sessionFailed(let session, let error): return [.string(session)] + Self.words(of: error)
        case .sessionEnded(let session): return [.string(session)]
        case .receiveData(let data, let application, let session):
            return [.bytes(Array(data)), .string(application), .string(session)]
        case .reportQuality(let thresholdsMet, let session): return [.boolean(thresholdsMet), .string(session)]
        case .measureQuality(let session, let quality): return [.string(session), try encoder.encode(quality)]
        case .setCredential(let device, let secret): return [.string(device), .bytes(Array(secret ?? Data()))]
        case .setAdoptionToken(let session, let token): return [.string(session), .bytes(Array(token))]
        case .browse(let browser, let request): return [.uint32(browser), try encoder.encode(request)]
        case .cancelBrowse(let browser): return [.uint32(browser)]
        case .announce(let announcement, let request): return [.uint32(announcement), try encoder.encode(request)]
        case .cancelAnnouncement(let announcement): return [.uint32(announcement)]
        case .bluetooth(let request, let order): return [.uint32(request), try encoder.encode(order)]
        case .central(let manager, let request): return [.uint32(manager), try encoder.encode(request)]
        }
    }

    private static func words(of error: HostError) -> [DBusValue] {
        [.string(error.code.rawValue), .string(error.message)]
    }
}
