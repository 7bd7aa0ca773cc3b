import DBus
import HostCore
import HostInterface

/// `org.mdhost.Extension1`: one installed extension on the bus, for people to look at.
enum ExtensionObject {
    static let interface = DBusInterface(
        HostNames.extensionInterface,
        properties: [
            DBusProperty("Id", "s", emits: .constant), DBusProperty("Name", "s"), DBusProperty("Version", "s"),
            DBusProperty("Protocol", "s"), DBusProperty("ProtocolName", "s"), DBusProperty("Path", "s"),
            DBusProperty("State", "s"), DBusProperty("LastError", "s"), DBusProperty("ProcessID", "u"),
            DBusProperty("Restarts", "u"), DBusProperty("Generation", "u"),
            DBusProperty("Confinement", "as"),
        ])

    static func values(_ status: ExtensionStatus) -> [String: DBusValue] {
        [
            "Id": .string(status.id), "Name": .string(status.name), "Version": .string(status.version),
            "Protocol": .string(status.protocolIdentifier), "ProtocolName": .string(status.protocolName),
            "Path": .string(status.path), "State": .string(status.state.rawValue),
            "LastError": .string(status.lastError ?? ""),
            "ProcessID": .uint32(UInt32(clamping: status.processID ?? 0)),
            "Restarts": .uint32(UInt32(clamping: status.restarts)),
            "Generation": .uint32(UInt32(clamping: status.generation)),
            "Confinement": .array(of: "s", status.confinement.map { .string($0) }),
        ]
    }
}
