import DBus
import Foundation
import HostCore
import HostInterface

/// The methods of `org.mdhost.NowPlaying1` by which apps start, update and end remote sessions.
struct RemoteSessionMethods: Sendable {
    /// The greatest size of attributes in bytes. They contain no pictures, which the extension fetches.
    static let attributesLimit = 64 << 10

    let sessions: RemoteSessions
    let nowPlaying: NowPlaying
    let server: DBusObjectServer
    let foreground: @Sendable (_ processID: Int32) -> Bool

    var methods: [DBusMethod] {
        [
            .async(
                "StartRemoteSession", in: [("declaration", "a{sv}"), ("session", "s"), ("attributes", "ay")],
                out: [("media", "o")]
            ) { call in
                guard call.arguments.count == 3, let declaration = call.arguments[0].asDictionary,
                    let application = declaration["identifier"]?.asString, !application.isEmpty
                else { throw HostError.badArguments }
                let name = declaration["name"]?.asString ?? ""
                let id = try await sessions.start(
                    try Self.session(call.arguments[1]), application: application,
                    name: name.isEmpty ? application : name, attributes: try Self.attributes(call.arguments[2]))
                return [.objectPath(HostNames.mediaSessionPath(id))]
            },
            .async("UpdateRemoteSession", in: [("application", "s"), ("session", "s"), ("attributes", "ay")]) { call in
                let (application, session) = try Self.address(call)
                try await sessions.update(
                    session, application: application, attributes: try Self.attributes(call.arguments[2]))
                return []
            },
            .async("EndRemoteSession", in: [("application", "s"), ("session", "s")]) { call in
                let (application, session) = try Self.address(call)
                try await sessions.end(session, application: application)
                return []
            },
            .async("RequestRemoteSystemPrimary", in: [("application", "s"), ("session", "s")]) { call in
                let (application, session) = try Self.address(call)
                let id = try await sessions.identifier(of: session, application: application)
                let process = try await server.processID(of: call.client)
                do throws(HostError) {
                    try await nowPlaying.claimSystem(id, isForeground: foreground(process))
                } catch  where error.code == .notSupported {
                    // With nothing to show it has no effect, as from the background.
                }
                return []
            },
            .async("RemoteSessions", in: [("application", "s")], out: [("sessions", "a(so)")]) { call in
                guard let application = call.arguments.first?.asString else { throw HostError.badArguments }
                let found = await sessions.sessions(of: application).map { session, id in
                    DBusValue.structure([.string(session), .objectPath(HostNames.mediaSessionPath(id))])
                }
                return [.array(of: "(so)", found)]
            },
        ]
    }

    private static func address(_ call: DBusMethodCall) throws(HostError) -> (application: String, session: String) {
        guard call.arguments.count >= 2, let application = call.arguments[0].asString else {
            throw HostError.badArguments
        }
        return (application, try session(call.arguments[1]))
    }

    /// 1 to 512 bytes of text.
    private static func session(_ value: DBusValue) throws(HostError) -> String {
        guard let session = value.asString, 1...512 ~= session.utf8.count else {
            throw HostError(.invalidArgument, "A session's identifier has 1 to 512 bytes.")
        }
        return session
    }

    private static func attributes(_ value: DBusValue) throws(HostError) -> Data {
        guard let bytes = value.asBytes else { throw HostError.badArguments }
        guard bytes.count <= attributesLimit else {
            throw HostError(.invalidArgument, "Attributes have \(attributesLimit) bytes at most.")
        }
        return Data(bytes)
    }
}
