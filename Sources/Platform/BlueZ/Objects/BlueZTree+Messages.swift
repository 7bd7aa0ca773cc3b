import DBus

extension BlueZTree {
    /// - Parameter managed: The result of `GetManagedObjects`, `a{oa{sa{sv}}}`.
    init(managed: DBusValue?) {
        guard case .dictionary(_, _, let entries)? = managed?.unwrapped else {
            self.init()
            return
        }
        var objects: [BlueZIdentifier: Interfaces] = [:]
        for (path, interfaces) in entries {
            guard let path = path.asString else { continue }
            let read = Self.interfaces(interfaces)
            if !read.isEmpty { objects[BlueZIdentifier(rawValue: path)] = read }
        }
        self.init(objects)
    }

    /// Applies a signal of bluetoothd; unrelated signals change nothing.
    mutating func apply(_ signal: DBusSignal) -> Set<BlueZIdentifier> {
        let arguments = signal.arguments
        switch (signal.interface, signal.member, arguments.count) {
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded", 2):
            guard let id = Optional(arguments[0]).identifier else { return [] }
            return add(id, Self.interfaces(arguments[1]))
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", 2):
            guard let id = Optional(arguments[0]).identifier else { return [] }
            return remove(id, (arguments[1].asArray ?? []).compactMap(\.asString))
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged", 3):
            guard let interface = arguments[0].asString else { return [] }
            return change(
                BlueZIdentifier(rawValue: signal.path), interface, arguments[1].asDictionary ?? [:],
                invalidated: (arguments[2].asArray ?? []).compactMap(\.asString))
        default: return []
        }
    }

    private static let prefix = "org.bluez."

    /// bluetoothd's own interfaces: all objects have `Introspectable` and `Properties`.
    private static func interfaces(_ value: DBusValue) -> Interfaces {
        var result: Interfaces = [:]
        for (name, values) in value.asDictionary ?? [:] where name.hasPrefix(prefix) {
            result[name] = values.asDictionary ?? [:]
        }
        return result
    }
}
