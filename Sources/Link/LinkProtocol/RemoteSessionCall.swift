package import DBus
package import Foundation

/// A call of an extension for remote sessions: one case for each method of `org.mdhost.MediaSessionLink1`.
package enum RemoteSessionCall: LinkMessage {
    /// Opens a session, or updates an open one. The reply is the object path of the session.
    case open(session: String, attributes: Data, token: Data)
    case update(session: String, attributes: Data)
    case close(session: String)
    case setToken(session: String, Data)
}

extension RemoteSessionCall {
    package enum Member: String, LinkMember {
        case open = "OpenSession"
        case update = "UpdateSession"
        case close = "CloseSession"
        case setToken = "SetPushToken"

        package var arguments: [(name: String, signature: String)] {
            switch self {
            case .open: [("session", "s"), ("attributes", "ay"), ("pushToken", "ay")]
            case .update: [("session", "s"), ("attributes", "ay")]
            case .close: [("session", "s")]
            case .setToken: [("session", "s"), ("pushToken", "ay")]
            }
        }

        package var results: [(name: String, signature: String)] { self == .open ? [("handler", "o")] : [] }
    }

    package var member: Member {
        switch self {
        case .open: .open
        case .update: .update
        case .close: .close
        case .setToken: .setToken
        }
    }

    package func arguments() throws(DBusError) -> [DBusValue] {
        switch self {
        case .open(let session, let attributes, let token):
            [.string(session), .bytes(Array(attributes)), .bytes(Array(token))]
        case .update(let session, let attributes): [.string(session), .bytes(Array(attributes))]
        case .close(let session): [.string(session)]
        case .setToken(let session, let token): [.string(session), .bytes(Array(token))]
        }
    }

    package init(_ member: Member, _ values: [DBusValue]) throws(MalformedMessage) {
        var arguments = ArgumentReader(values)
        let session = try arguments.string()
        switch member {
        case .open: self = .open(session: session, attributes: try arguments.data(), token: try arguments.data())
        case .update: self = .update(session: session, attributes: try arguments.data())
        case .close: self = .close(session: session)
        case .setToken: self = .setToken(session: session, try arguments.data())
        }
    }
}
