import CSystemd
import Glibc
import Synchronization

/// Answers `org.freedesktop.DBus` on a connection without a broker, so that clients which know only buses work.
///
/// A client may greet, add and remove rules (every signal is sent anyway), and ask for names: the server is `:1.0` and
/// the owner of its ``names``, each client has a number of its own. Nothing here shows up in introspection.
final class PeerNames {
    /// The well-known names that are the server's; empty: every one.
    var names: Set<String>
    /// The client's name once it has sent `Hello`.
    private(set) var greetedClient: String?
    private(set) var hasClientSpoken: Bool
    private let clientName: String
    private var slot: OpaquePointer?

    private static let broker = "org.freedesktop.DBus"
    private static let brokerPath = "/org/freedesktop/DBus"
    private static let serverName = ":1.0"
    private static let lastClient = Atomic<Int>(0)

    /// On the loop; the filter stays until ``remove()``.
    init(bus: OpaquePointer, names: Set<String>, hasClientSpoken: Bool) {
        self.names = names
        self.hasClientSpoken = hasClientSpoken
        clientName = ":1.\(Self.lastClient.add(1, ordering: .relaxed).newValue)"
        sd_bus_add_filter(bus, &slot, receiveFiltered, Unmanaged.passUnretained(self).toOpaque())
    }

    func remove() { slot = sd_bus_slot_unref(slot) }

    /// - Returns: Whether the message was for the broker, and is answered.
    fileprivate func handle(_ message: OpaquePointer) -> Bool {
        hasClientSpoken = true
        guard let destination = sd_bus_message_get_destination(message), strcmp(destination, Self.broker) == 0,
            sd_bus_message_is_method_call(message, nil, nil) > 0,
            let member = sd_bus_message_get_member(message).map({ String(cString: $0) })
        else { return false }
        let interface = sd_bus_message_get_interface(message).map { String(cString: $0) } ?? Self.broker
        let arguments = (try? MessageReader.arguments(of: message, limits: .untrusted)) ?? []
        switch interface {
        case Self.broker: answer(message, member, arguments.first?.asString ?? "")
        case "org.freedesktop.DBus.Peer": return false
        default: refuse(message, DBusError.Name.unknownInterface, "\(interface) is not known")
        }
        return true
    }

    private func answer(_ message: OpaquePointer, _ member: String, _ name: String) {
        switch member {
        case "Hello":
            // From now on signals need a sender: clients of buses drop those without.
            let bus = sd_bus_message_get_bus(message)
            sd_bus_set_sender(bus, Self.serverName)
            greetedClient = clientName
            reply(message, [.string(clientName)])
            greet(bus)
        case "AddMatch", "RemoveMatch": reply(message, [])
        case "GetId": reply(message, [.string(identifier(of: message))])
        case "ListNames": reply(message, [.strings([Self.broker, Self.serverName, clientName] + names.sorted())])
        case "ListActivatableNames": reply(message, [.strings([Self.broker])])
        case "NameHasOwner": reply(message, [.boolean(owner(of: name) != nil)])
        case "StartServiceByName" where owner(of: name) != nil:
            let alreadyRunning: UInt32 = 2
            reply(message, [.uint32(alreadyRunning)])
        case "StartServiceByName": refuse(message, DBusError.Name.serviceUnknown, "\(name) is not known")
        case "RequestName", "ReleaseName": refuse(message, DBusError.Name.accessDenied, "there is no broker here")
        case "GetNameOwner", "GetConnectionUnixProcessID", "GetConnectionUnixUser", "GetConnectionCredentials":
            guard let owner = owner(of: name) else {
                return refuse(message, DBusError.Name.nameHasNoOwner, "\(name) has no owner")
            }
            describe(message, member, owner)
        default: refuse(message, DBusError.Name.unknownMethod, "\(member) is not known")
        }
    }

    private func describe(_ message: OpaquePointer, _ member: String, _ owner: String) {
        let peer = DBusCredentials(socket: sd_bus_get_fd(sd_bus_message_get_bus(message)))
        let user = owner == clientName ? peer?.userID ?? getuid() : getuid()
        let process = UInt32(owner == clientName ? peer?.processID ?? getpid() : getpid())
        switch member {
        case "GetNameOwner": reply(message, [.string(owner)])
        case "GetConnectionUnixProcessID": reply(message, [.uint32(process)])
        case "GetConnectionUnixUser": reply(message, [.uint32(user)])
        default:
            reply(message, [.properties(["ProcessID": .uint32(process), "UnixUserID": .uint32(user)])])
        }
    }

    private func owner(of name: String) -> String? {
        switch name {
        case Self.broker, Self.serverName, clientName: name
        case let unique where unique.hasPrefix(":"): nil
        case let wellKnown: names.isEmpty || names.contains(wellKnown) ? Self.serverName : nil
        }
    }

    private func identifier(of message: OpaquePointer) -> String {
        var identifier = sd_id128_t()
        guard sd_bus_get_bus_id(sd_bus_message_get_bus(message), &identifier) >= 0 else { return "" }
        return withUnsafeBytes(of: &identifier) { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private func reply(_ call: OpaquePointer, _ values: [DBusValue]) {
        try? withMessage({ sd_bus_message_new_method_return(call, $0) }, "answer") { message throws(DBusError) in
            try MessageWriter(message: message).append(values)
            send(message)
        }
    }

    private func refuse(_ call: OpaquePointer, _ name: String, _ text: String) {
        let error = DBusError(name: name, message: text)
        try? error.withStructure { structure throws(DBusError) in
            try withMessage({ sd_bus_message_new_method_error(call, $0, structure) }, "answer") { send($0) }
        }
    }

    private func greet(_ bus: OpaquePointer?) {
        try? withMessage(
            { sd_bus_message_new_signal(bus, $0, Self.brokerPath, Self.broker, "NameAcquired") }, "greet"
        ) { message throws(DBusError) in
            try MessageWriter(message: message).append(.string(clientName))
            send(message)
        }
    }

    private func send(_ message: OpaquePointer) {
        sd_bus_message_set_sender(message, Self.broker)
        sd_bus_message_set_destination(message, clientName)
        sd_bus_send(nil, message, nil)
    }
}

private func receiveFiltered(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    return Unmanaged<PeerNames>.fromOpaque(context).takeUnretainedValue().handle(message) ? 1 : 0
}
