import DBus
import Foundation
import HostInterface

/// The host's end of a link, played with the real wire: it welcomes the extension and keeps every other call.
final class HostEnd: Sendable {
    struct Call: Sendable, Equatable {
        let member: String
        let arguments: [DBusValue]
    }

    let connection: DBusConnection
    /// The descriptor for the extension's end.
    let extensionDescriptor: Int32
    /// Every call but `Hello`, in wire order.
    let calls: AsyncStream<Call>
    /// The argument of every `Hello`.
    let greetings: AsyncStream<DBusValue>
    private let server: DBusObjectServer

    static let welcome: [String: DBusValue] = [
        "linkVersion": .variant(.int64(1)), "generation": .variant(.int64(3)), "name": .variant(.string("sample")),
        "stateDirectory": .variant(.string("/tmp/sample-state")),
    ]

    /// - Parameter welcome: The answer to `Hello`.
    init(welcome: [String: DBusValue] = HostEnd.welcome) async throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw DBusError(name: DBusError.Name.failed, message: "no socket pair")
        }
        extensionDescriptor = ends[1]
        let (calls, callFeed) = AsyncStream.makeStream(of: Call.self)
        let (greetings, greetingFeed) = AsyncStream.makeStream(of: DBusValue.self)
        self.calls = calls
        self.greetings = greetings

        let loop = DBusLoop(label: "test.host")
        connection = DBusConnection(loop: loop)
        server = DBusObjectServer(loop: loop, objectManagerPath: HostNames.rootPath)
        var methods = [
            DBusMethod("Hello", in: [("about", "a{sv}")], out: [("welcome", "a{sv}")]) { call in
                greetingFeed.yield(call.arguments[0])
                let pairs = welcome.map { (DBusValue.string($0.key), $0.value) }
                call.reply([.dictionary(key: "s", value: "v", Dictionary(uniqueKeysWithValues: pairs))])
            }
        ]
        for (name, signature) in Self.interface {
            let arguments = signature.enumerated().map { (name: "argument\($0)", signature: $1) }
            methods.append(
                DBusMethod(name, in: arguments) { call in
                    callFeed.yield(Call(member: call.member, arguments: call.arguments))
                    call.reply()
                })
        }
        try await server.add(
            path: HostNames.hostLinkPath, [(DBusInterface(HostNames.hostLinkInterface, methods: methods), [:])])
        try await connection.openPeer(fileDescriptor: ends[0], role: .server)
        try await server.attach(connection)
    }

    /// `org.mdhost.HostLink1` without `Hello`.
    private static let interface: [(String, [String])] = [
        ("FoundDevice", ["a{sv}"]), ("UpdateDevices", ["aa{sv}"]), ("LostDevice", ["s"]),
        ("DiscoveryFailed", ["s", "s"]), ("VolumeChanged", ["s", "d", "b"]),
        ("RequestPairingCode", ["s", "s", "a{sv}"]), ("ActivatedDevice", ["s", "s"]),
        ("FailedToActivate", ["s", "s", "s", "s"]), ("Started", ["s", "s", "a{sv}"]),
        ("PlaybackChanged", ["s", "a{sv}"]), ("SessionFailed", ["s", "s", "s"]), ("SessionEnded", ["s", "s"]),
        ("ReceiveData", ["ay", "s", "s"]), ("ReportQuality", ["b", "s"]),
        ("MeasureQuality", ["s", "a{sv}"]), ("SetCredential", ["s", "ay"]),
        ("SetAdoptionToken", ["s", "ay"]),
        ("Browse", ["u", "a{sv}"]), ("CancelBrowse", ["u"]),
        ("Announce", ["u", "a{sv}"]), ("CancelAnnouncement", ["u"]),
    ]

    /// Calls the extension and waits for its answer.
    @discardableResult
    func call(_ member: String, _ arguments: [DBusValue] = []) async throws(DBusError) -> [DBusValue] {
        try await connection.call(
            nil, path: HostNames.extensionLinkPath, interface: HostNames.extensionLinkInterface, member: member,
            arguments)
    }

    /// Calls the extension without waiting; the order of calls is the order on the wire.
    func send(_ member: String, _ arguments: [DBusValue] = []) async throws(DBusError) {
        try await connection.send(
            nil, path: HostNames.extensionLinkPath, interface: HostNames.extensionLinkInterface, member: member,
            arguments)
    }
}

extension HostEnd.Call {
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        try DBusDictionaryDecoder().decode(type, from: arguments[index])
    }
}
