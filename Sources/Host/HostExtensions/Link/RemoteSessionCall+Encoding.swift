import DBus
import Foundation
import HostCore

extension RemoteSessionCall {
    /// The method of `org.mdhost.MediaSessionLink1`.
    var member: String {
        switch self {
        case .open: "OpenSession"
        case .update: "UpdateSession"
        case .close: "CloseSession"
        case .setToken: "SetPushToken"
        }
    }

    /// The arguments in the order of the method.
    var arguments: [DBusValue] {
        switch self {
        case .open(let session, let attributes, let token):
            [.string(session), .bytes([UInt8](attributes)), .bytes([UInt8](token))]
        case .update(let session, let attributes): [.string(session), .bytes([UInt8](attributes))]
        case .close(let session): [.string(session)]
        case .setToken(let session, let token): [.string(session), .bytes([UInt8](token))]
        }
    }
}
