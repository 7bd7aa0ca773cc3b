/// The managers of extensions.
///
/// A class instance is identified by its identity, a value by its type, because a process runs one.
@MainActor
enum RoutingManagers {
    private struct Entry {
        weak var owner: AnyObject?
        let manager: MediaDeviceRoutingManager
    }

    private static var ofObjects: [ObjectIdentifier: Entry] = [:]
    private static var ofValues: [ObjectIdentifier: MediaDeviceRoutingManager] = [:]

    static func manager(for owner: any MediaDeviceExtension) -> MediaDeviceRoutingManager {
        let type = type(of: owner) as any Any.Type
        guard type is AnyClass else { return managerOfValue(of: type) }
        let object = owner as AnyObject
        let identifier = ObjectIdentifier(object)
        // The identifier of a deallocated object may come back for another one.
        if let entry = ofObjects[identifier], entry.owner === object { return entry.manager }
        ofObjects = ofObjects.filter { $0.value.owner != nil }
        let manager = MediaDeviceRoutingManager()
        ofObjects[identifier] = Entry(owner: object, manager: manager)
        return manager
    }

    private static func managerOfValue(of type: any Any.Type) -> MediaDeviceRoutingManager {
        if let manager = ofValues[ObjectIdentifier(type)] { return manager }
        let manager = MediaDeviceRoutingManager()
        ofValues[ObjectIdentifier(type)] = manager
        return manager
    }
}
