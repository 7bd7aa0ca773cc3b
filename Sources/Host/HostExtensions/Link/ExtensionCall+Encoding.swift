import DBus
import Foundation
import HostCore
import HostInterface

extension ExtensionCall {
    /// The method of `org.mdhost.ExtensionLink1`.
    var member: String {
        switch self {
        case .startDeviceDiscovery: "StartDeviceDiscovery"
        case .stopDeviceDiscovery: "StopDeviceDiscovery"
        case .activate: "ActivateDevice"
        case .connectUsingPairingCode: "ConnectUsingPairingCode"
        case .deactivate: "DeactivateDevice"
        case .setVolume: "SetVolume"
        case .changeVolume: "ChangeVolume"
        case .muteDevice: "MuteDevice"
        case .startSession: "StartSession"
        case .adoptSession: "AdoptSession"
        case .stopSession: "StopSession"
        case .sendData: "SendData"
        case .playbackCommand: "PlaybackCommand"
        case .browserEvents: "BrowserEvents"
        case .announcementEvents: "AnnouncementEvents"
        case .bluetoothAnswers: "BluetoothAnswers"
        case .centralEvents: "CentralEvents"
        }
    }

    /// Returns the arguments in the order of the method.
    func arguments() throws -> [DBusValue] {
        let encoder = DBusDictionaryEncoder()
        switch self {
        case .startDeviceDiscovery, .stopDeviceDiscovery: return []
        case .activate(let device, let session, let capabilities, let credential):
            return [
                try encoder.encode(device), .string(session), .int64(Int64(capabilities.rawValue)),
                .bytes([UInt8](credential ?? Data())),
            ]
        case .connectUsingPairingCode(let code, let device, let session):
            return [.boolean(code == nil), .string(code ?? ""), .string(device), .string(session)]
        case .deactivate(let device, let session): return [.string(device), .string(session)]
        case .setVolume(let device, let level):
            return [.string(device), .double(level.isNaN ? 0 : min(max(level, 0), 1))]
        case .changeVolume(let device, let increments): return [.string(device), .int32(increments)]
        case .muteDevice(let device): return [.string(device)]
        case .startSession(let session, let identifier, let url, let media):
            return [.string(session), .string(identifier ?? ""), .string(url), try encoder.encode(media)]
        case .adoptSession(let session, let identifier, let url, let media, let token):
            return [
                .string(session), .string(identifier ?? ""), .string(url), try encoder.encode(media),
                .bytes([UInt8](token ?? Data())),
            ]
        case .stopSession(let session): return [.string(session)]
        case .sendData(let data, let application, let session):
            return [.bytes([UInt8](data)), .string(application), .string(session)]
        case .playbackCommand(let session, let command): return [.string(session), try encoder.encode(command)]
        case .bluetoothAnswers(let request, let answers):
            return [.uint32(request), .array(of: "a{sv}", try answers.map { try encoder.encode($0) })]
        case .browserEvents(let browser, let events):
            return [.uint32(browser), .array(of: "a{sv}", try events.map { try encoder.encode($0) })]
        case .announcementEvents(let announcement, let events):
            return [.uint32(announcement), .array(of: "a{sv}", try events.map { try encoder.encode($0) })]
        case .centralEvents(let manager, let events):
            return [.uint32(manager), .array(of: "a{sv}", try events.map { try encoder.encode($0) })]
        }
    }
}
