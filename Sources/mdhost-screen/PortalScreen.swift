import DBus
import Glibc
import HostInterface
import ScreenInterface

/// A screen that the person selects in the desktop's portal, as long as the desktop lets it be shared.
///
/// Source: xdg-desktop-portal's `org.freedesktop.portal.ScreenCast`, version 4.
actor PortalScreen {
    private enum Name {
        static let portal = "org.freedesktop.portal.Desktop"
        static let path = "/org/freedesktop/portal/desktop"
        static let cast = "org.freedesktop.portal.ScreenCast"
        static let request = "org.freedesktop.portal.Request"
        static let session = "org.freedesktop.portal.Session"
    }

    /// Bits of `AvailableSourceTypes`.
    private enum SourceType {
        static let monitor: UInt32 = 1
        static let window: UInt32 = 2
        static let virtual: UInt32 = 4
    }

    /// The source that the portal handed out.
    struct Grant: Sendable {
        var kind: ScreenFacts.Source
        /// The node's number in PipeWire's graph.
        var node: UInt32
        /// The socket to PipeWire.
        var socket: DBusDescriptor
        /// The permission to share the same source once more without a question, if it was asked for and given.
        var permission: String?
    }

    private static let pointerInPicture: UInt32 = 2
    /// A permission lasts until the person takes it back in the desktop's settings.
    private static let untilRevoked: UInt32 = 2
    /// The first version with permissions.
    private static let versionWithPermissions: UInt32 = 4
    private static let patience = Duration.seconds(10)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let loop: DBusLoop
    private let connection: DBusConnection
    private var session = ""

    private init(loop: DBusLoop, connection: DBusConnection) {
        self.loop = loop
        self.connection = connection
    }

    /// Connects to the portal.
    ///
    /// - Returns: `nil` if this desktop has none for screens.
    static func find() async -> PortalScreen? {
        let loop = DBusLoop(label: "portal")
        let connection = DBusConnection(loop: loop)
        guard (try? await connection.openSessionBus()) != nil else { return nil }
        let portal = PortalScreen(loop: loop, connection: connection)
        return await portal.sourceTypes == 0 ? nil : portal
    }

    private var sourceTypes: UInt32 {
        get async { await property("AvailableSourceTypes") }
    }

    private func property(_ name: String) async -> UInt32 {
        let reply = try? await connection.call(
            Name.portal, path: Name.path, interface: "org.freedesktop.DBus.Properties", member: "Get",
            [.string(Name.cast), .string(name)], timeout: Self.patience)
        return reply?.first?.asInt64.flatMap { UInt32(exactly: $0) } ?? 0
    }

    /// A Boolean value that indicates whether the desktop can give a permission for another time.
    var givesPermissions: Bool {
        get async { await property("version") >= Self.versionWithPermissions }
    }

    /// Asks the person for a screen or window, unless there is a permission.
    ///
    /// - Parameters:
    ///   - permission: Of an earlier grant. It is used up. Empty to ask for one.
    ///   - onEnd: Called when the desktop ends the sharing.
    /// - Throws: ``HostError`` `cancelled` if the person refuses.
    func ask(permission: String?, onEnd: @escaping @Sendable () -> Void) async throws(HostError) -> Grant {
        do {
            return try await grant(permission, onEnd: onEnd)
        } catch let error as HostError {
            throw error
        } catch {
            throw HostError(.sessionFailed, "The desktop's portal didn't share the screen: \(error).")
        }
    }

    private func grant(_ permission: String?, onEnd: @escaping @Sendable () -> Void) async throws -> Grant {
        let created = try await answer(
            "CreateSession", [], ["session_handle_token": .string("mdhost\(getpid())")])
        session = created["session_handle"]?.asString ?? ""
        guard session.hasPrefix("/") else {
            throw HostError(.sessionFailed, "The desktop's portal made no session.")
        }
        let closed = try await connection.signals(
            sender: Name.portal, path: session, interface: Name.session, member: "Closed")
        let types = await sourceTypes & (SourceType.monitor | SourceType.window)
        var options: [String: DBusValue] = [
            "types": .uint32(max(SourceType.monitor, types)), "multiple": .boolean(false),
        ]
        if await property("AvailableCursorModes") & Self.pointerInPicture != 0 {
            options["cursor_mode"] = .uint32(Self.pointerInPicture)
        }
        if let permission {
            options["persist_mode"] = .uint32(Self.untilRevoked)
            options["restore_token"] = permission.isEmpty ? nil : .string(permission)
        }
        _ = try await answer("SelectSources", [.objectPath(session)], options)
        // There is no window of this program that the desktop's could belong to.
        let started = try await answer("Start", [.objectPath(session), .string("")], [:])
        guard case .structure(let stream)? = started["streams"]?.asArray?.first?.unwrapped, stream.count == 2,
            let node = stream[0].asInt64.flatMap({ UInt32(exactly: $0) })
        else { throw HostError(.sessionFailed, "The desktop's portal shared nothing.") }
        let reply = try await connection.call(
            Name.portal, path: Name.path, interface: Name.cast, member: "OpenPipeWireRemote",
            [.objectPath(session), .properties([:])], timeout: Self.patience)
        guard let socket = reply.first?.asFileDescriptor else {
            throw HostError(.sessionFailed, "The desktop's portal gave no connection to PipeWire.")
        }
        // Only from now on: a session that was refused is closed, too.
        Task {
            for await _ in closed { break }
            onEnd()
        }
        return Grant(
            kind: Self.kind(stream[1].asDictionary?["source_type"]?.asInt64), node: node, socket: socket,
            permission: permission == nil ? nil : started["restore_token"]?.asString)
    }

    /// Makes one of the portal's requests, and waits for its answer, however long the person takes.
    private func answer(
        _ member: String, _ arguments: [DBusValue], _ options: [String: DBusValue]
    ) async throws -> [String: DBusValue] {
        // Before the request, whose answer is a signal.
        let answers = try await connection.signals(
            sender: Name.portal, pathNamespace: Name.path + "/request", interface: Name.request, member: "Response")
        let reply = try await connection.call(
            Name.portal, path: Name.path, interface: Name.cast, member: member, arguments + [.properties(options)],
            timeout: Self.patience)
        let handle = reply.first?.asString
        for await signal in answers where signal.path == handle { return try Self.results(of: signal) }
        throw HostError(.sessionFailed, "The desktop's portal exited.")
    }

    private static func kind(_ type: Int64?) -> ScreenFacts.Source {
        switch type.flatMap({ UInt32(exactly: $0) }) {
        case SourceType.window: .window
        case SourceType.virtual: .virtual
        default: .monitor
        }
    }

    /// The results of a request; code 1 is the person's refusal, 2 any other end.
    private static func results(of signal: DBusSignal) throws(HostError) -> [String: DBusValue] {
        switch signal.arguments.first?.asInt64 {
        case 0: return signal.arguments.last?.asDictionary ?? [:]
        case 1: throw HostError(.cancelled, "Sharing the screen was refused on the desktop.")
        default: throw HostError(.sessionFailed, "The desktop ended the request to share the screen.")
        }
    }
}
