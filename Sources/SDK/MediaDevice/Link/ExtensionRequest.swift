import DBus
import Foundation
import HostInterface

/// A request of the host: one case for each method of `org.mdhost.ExtensionLink1` that reaches the author's code.
package enum ExtensionRequest: Sendable, Hashable {
    /// A Boolean value that indicates whether the host may end the process after the answer.
    var isFarewell: Bool {
        switch self {
        case .stopSession, .deactivate: true
        default: false
        }
    }

    /// Checks that the author's code doesn't block the main actor.
    case ping
    case startDeviceDiscovery
    case stopDeviceDiscovery
    case activate(DeviceDescription, session: String, capabilities: Int, credential: Data?)
    /// The person's answer; the code is `nil` if they cancelled.
    case connectUsingPairingCode(String?, device: UUID, session: String)
    case deactivate(device: UUID, session: String)
    /// Sets the volume, `0.0...1.0`.
    case setVolume(device: UUID, level: Float)
    case changeVolume(device: UUID, increments: Int)
    case muteDevice(device: UUID)
    case readVolume(device: UUID)
    /// Starts a session; the identifier is `nil` for the device's own player.
    case startSession(session: String, identifier: String?, url: URL, MediaInformation)
    /// Adopts a session that an earlier process started.
    case adoptSession(session: String, EarlierPlayback, MediaInformation)
    case stopSession(session: String)
    case sendData(Data, application: String, session: String)
    case playbackCommand(session: String, PlaybackCommand)
}

extension ExtensionRequest {
    /// Creates a request from a call.
    ///
    /// - Throws: ``DBusError`` `unknownMethod`, or `invalidArguments` with the invalid argument.
    package init(member: String, arguments: [DBusValue]) throws(DBusError) {
        var reader = ArgumentReader(arguments)
        switch member {
        case "Ping": self = .ping
        case "StartDeviceDiscovery": self = .startDeviceDiscovery
        case "StopDeviceDiscovery": self = .stopDeviceDiscovery
        case "ActivateDevice":
            self = .activate(
                try reader.device(), session: try reader.session(), capabilities: try reader.integer("capabilities"),
                credential: try reader.data("credential").nonEmpty)
        case "ConnectUsingPairingCode":
            let isCancelled = try reader.flag("cancelled")
            let code = try reader.text("code")
            self = .connectUsingPairingCode(
                isCancelled ? nil : code, device: try reader.identifier(), session: try reader.session())
        case "DeactivateDevice":
            self = .deactivate(device: try reader.identifier(), session: try reader.session())
        case "SetVolume": self = .setVolume(device: try reader.identifier(), level: try reader.level())
        case "ChangeVolume":
            self = .changeVolume(device: try reader.identifier(), increments: try reader.integer("increments"))
        case "MuteDevice": self = .muteDevice(device: try reader.identifier())
        case "GetVolume": self = .readVolume(device: try reader.identifier())
        case "StartSession":
            let session = try reader.session()
            let identifier = try reader.text("identifier")
            self = .startSession(
                session: session, identifier: identifier.isEmpty ? nil : identifier, url: try reader.url(),
                try reader.dictionary(MediaInformation.self))
        case "AdoptSession":
            let session = try reader.session()
            let identifier = try reader.text("identifier")
            let url = try reader.url()
            let information = try reader.dictionary(MediaInformation.self)
            let playback = EarlierPlayback(
                url: url, applicationIdentifier: identifier.isEmpty ? nil : identifier,
                token: try reader.data("token").nonEmpty)
            self = .adoptSession(session: session, playback, information)
        case "StopSession": self = .stopSession(session: try reader.session())
        case "SendData":
            self = .sendData(
                try reader.data("data"), application: try reader.text("application"), session: try reader.session())
        case "PlaybackCommand":
            self = .playbackCommand(
                session: try reader.session(), try reader.dictionary(PlaybackCommand.self))
        default: throw DBusError(name: DBusError.Name.unknownMethod, message: "There is no method \(member).")
        }
    }
}

extension Data {
    fileprivate var nonEmpty: Data? { isEmpty ? nil : self }
}
