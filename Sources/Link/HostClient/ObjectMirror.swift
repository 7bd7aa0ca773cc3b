package import DBus
import HostInterface

/// An event of the daemon's object manager, in order.
package enum HostEvent: Sendable, Hashable {
    case device(ClientDevice)
    case deviceRemoved(ClientDevice)
    case session(ClientSession)
    case sessionRemoved(ClientSession)
    case `extension`(ClientExtension)
    case extensionRemoved(ClientExtension)
    case mediaSession(ClientMediaSession)
    case mediaSessionRemoved(ClientMediaSession)
    case nowPlaying(ClientNowPlaying)
    case manager(ClientManager)
    /// All initial objects were reported.
    case ready
}

/// A client's copy of the daemon's objects, as a value that converts signals to events.
///
/// A signal without a change gives no event, because signals sent just before the first reply arrive after it.
package struct ObjectMirror: Sendable {
    private var objects: [String: [String: [String: DBusValue]]] = [:]

    package init() {}

    /// Loads the reply of `GetManagedObjects`, and returns an event for every object.
    package mutating func load(_ reply: [DBusValue]) -> [HostEvent] {
        guard case .dictionary(_, _, let entries)? = reply.first else { return [] }
        var events: [HostEvent] = []
        for (path, interfaces) in entries {
            guard let path = path.asString else { continue }
            events += add(path, interfaces)
        }
        return events
    }

    /// Loads the manager's properties from the reply of `GetAll`.
    package mutating func load(manager reply: [DBusValue]) -> [HostEvent] {
        guard let values = reply.first?.asDictionary else { return [] }
        objects[HostNames.rootPath, default: [:]][HostNames.managerInterface] = values
        return event(HostNames.rootPath, HostNames.managerInterface).map { [$0] } ?? []
    }

    /// Applies a signal of `ObjectManager` or `Properties`. Other signals give no events.
    package mutating func apply(_ signal: DBusSignal) -> [HostEvent] {
        switch (signal.member, signal.arguments.count) {
        case ("InterfacesAdded", 2):
            guard let path = signal.arguments[0].asString else { return [] }
            return add(path, signal.arguments[1])
        case ("InterfacesRemoved", 2):
            guard let path = signal.arguments[0].asString else { return [] }
            return remove(path, signal.arguments[1].asArray?.compactMap(\.asString) ?? [])
        case ("PropertiesChanged", 3):
            guard let interface = signal.arguments[0].asString, let changes = signal.arguments[1].asDictionary,
                objects[signal.path]?[interface] != nil
            else { return [] }
            let old = objects[signal.path]?[interface]
            objects[signal.path]?[interface]?.merge(changes) { _, new in new }
            guard objects[signal.path]?[interface] != old else { return [] }
            return event(signal.path, interface).map { [$0] } ?? []
        default:
            return []
        }
    }

    private mutating func add(_ path: String, _ interfaces: DBusValue) -> [HostEvent] {
        guard case .dictionary(_, _, let entries) = interfaces else { return [] }
        var events: [HostEvent] = []
        for (name, properties) in entries {
            guard let name = name.asString, name.hasPrefix("org.mdhost.") else { continue }
            let values = properties.asDictionary ?? [:]
            guard objects[path]?[name] != values else { continue }
            objects[path, default: [:]][name] = values
            if let event = event(path, name) { events.append(event) }
        }
        return events
    }

    private mutating func remove(_ path: String, _ interfaces: [String]) -> [HostEvent] {
        var events: [HostEvent] = []
        for name in interfaces {
            guard let values = objects[path]?.removeValue(forKey: name) else { continue }
            switch name {
            case HostNames.deviceInterface:
                if let device = ClientDevice(values) { events.append(.deviceRemoved(device)) }
            case HostNames.sessionInterface:
                if let session = ClientSession(values) { events.append(.sessionRemoved(session)) }
            case HostNames.extensionInterface:
                if let status = ClientExtension(values) { events.append(.extensionRemoved(status)) }
            case HostNames.mediaInterface:
                if let session = ClientMediaSession(values) { events.append(.mediaSessionRemoved(session)) }
            default: break
            }
        }
        if objects[path]?.isEmpty == true { objects[path] = nil }
        return events
    }

    private func event(_ path: String, _ interface: String) -> HostEvent? {
        guard let values = objects[path]?[interface] else { return nil }
        switch interface {
        case HostNames.deviceInterface: return ClientDevice(values).map(HostEvent.device)
        case HostNames.sessionInterface: return ClientSession(values).map(HostEvent.session)
        case HostNames.extensionInterface: return ClientExtension(values).map(HostEvent.extension)
        case HostNames.mediaInterface: return ClientMediaSession(values).map(HostEvent.mediaSession)
        case HostNames.nowPlayingInterface: return .nowPlaying(ClientNowPlaying(values))
        case HostNames.managerInterface:
            return .manager(ClientManager(values))
        default: return nil
        }
    }
}
