import CSystemd

/// The objects of one server and their properties' values. On the loop.
final class ObjectTree {
    struct Entry {
        let interface: DBusInterface
        var values: [String: DBusValue]
    }

    /// Every object is here or below.
    let root: String
    private(set) var objects: [String: [String: Entry]] = [:]
    /// Where else an object is reached, and which: such a path is not listed.
    private var aliases: [String: String] = [:]

    init(root: String) { self.root = root }

    /// Checks everything before it changes anything.
    func add(_ path: String, _ additions: [(DBusInterface, [String: DBusValue])]) throws(DBusError) {
        guard sd_bus_object_path_is_valid(path) > 0, contains(path) else {
            throw .invalidArguments("\(path) is no object path at or below \(root)")
        }
        var object = objects[path] ?? [:]
        for (interface, values) in additions {
            guard object[interface.name] == nil else {
                throw DBusError(name: DBusError.Name.failed, message: "\(path) has \(interface.name) already")
            }
            for property in interface.properties.values where property.read == nil {
                guard let value = values[property.name], value.signature == property.signature else {
                    throw .invalidArguments(
                        "\(interface.name).\(property.name) of \(path) needs a value of type \(property.signature)")
                }
            }
            object[interface.name] = Entry(
                interface: interface, values: values.filter { interface.properties[$0.key] != nil })
        }
        objects[path] = object
    }

    /// - Returns: The names of the interfaces that went.
    func remove(_ path: String) -> [String] {
        setAliases([], of: path)
        return objects.removeValue(forKey: path)?.keys.sorted() ?? []
    }

    /// Lets these paths and no others lead to the object, for as long as it is there and where there is no other object.
    func setAliases(_ paths: [String], of path: String) {
        if !aliases.isEmpty { aliases = aliases.filter { $0.value != path } }
        for alias in paths where alias != path { aliases[alias] = path }
    }

    /// The own path of the object that a caller means.
    func canonical(_ path: String) -> String { objects[path] == nil ? aliases[path] ?? path : path }

    /// Stores values of declared properties with the declared type, and ignores the rest.
    ///
    /// - Returns: The names of those that changed and whose changes are told, sorted.
    func update(_ path: String, _ interface: String, _ values: [String: DBusValue]) -> [String] {
        guard let declaration = objects[path]?[interface]?.interface else { return [] }
        var changed: [String] = []
        for (name, value) in values {
            guard let property = declaration.properties[name], property.signature == value.signature,
                objects[path]?[interface]?.values[name] != value
            else { continue }
            objects[path]?[interface]?.values[name] = value
            if property.emits.isSignalled { changed.append(name) }
        }
        return changed.sorted()
    }

    func interface(_ path: String, _ interface: String) -> DBusInterface? { objects[path]?[interface]?.interface }

    func value(_ path: String, _ interface: String, _ property: String) -> DBusValue? {
        guard let entry = objects[path]?[interface] else { return nil }
        return entry.interface.properties[property]?.read?() ?? entry.values[property]
    }

    /// All objects below `path`.
    func descendants(of path: String) -> [String] {
        let prefix = path == "/" ? "/" : path + "/"
        return objects.keys.filter { $0.hasPrefix(prefix) && $0 != path }
    }

    /// One level below `path`, with the nodes that only lead to objects.
    func children(of path: String) -> Set<String> {
        let prefix = path == "/" ? "/" : path + "/"
        return Set(
            descendants(of: path).map { descendant in
                prefix + (descendant.dropFirst(prefix.count).split(separator: "/").first ?? "")
            })
    }

    private func contains(_ path: String) -> Bool { path == root || root == "/" || path.hasPrefix(root + "/") }
}
