import CSystemd

/// The objects of one server and their properties' values. On the loop.
final class ObjectTree {
    struct Entry {
        let interface: DBusInterface
        var values: any DBusPropertyValues

        /// `nil` for a property that is not declared.
        ///
        /// - Parameter connection: Number of the attachment that asks.
        func value(of property: String, on connection: Int) -> DBusValue? {
            guard let declaration = interface.properties[property] else { return nil }
            return declaration.read?(connection) ?? values.value(of: property)
        }
    }

    /// Every object is here or below.
    let root: String
    /// The interfaces of each object: there are few, and a list takes less memory than a dictionary.
    private(set) var objects: [String: [Entry]] = [:]
    /// Alternative paths and the objects they lead to. Listings leave them out.
    private var aliases: [String: String] = [:]
    /// The same the other way round.
    private var aliasesOfObjects: [String: [String]] = [:]
    /// Rises with every change.
    private(set) var revision = 0

    init(root: String) { self.root = root }

    /// Checks everything before it changes anything.
    func add(_ path: String, _ additions: [(DBusInterface, any DBusPropertyValues)]) throws(DBusError) {
        guard sd_bus_object_path_is_valid(path) > 0, contains(path) else {
            throw .invalidArguments("\(path) is no object path at or below \(root)")
        }
        var object = objects[path] ?? []
        object.reserveCapacity(object.count + additions.count)
        for (interface, values) in additions {
            guard !object.contains(where: { $0.interface.name == interface.name }) else {
                throw DBusError(name: DBusError.Name.failed, message: "\(path) has \(interface.name) already")
            }
            for property in interface.properties.values where property.read == nil {
                guard let value = values.value(of: property.name), value.signature == property.signature else {
                    throw .invalidArguments(
                        "\(interface.name).\(property.name) of \(path) needs a value of type \(property.signature)")
                }
            }
            object.append(Entry(interface: interface, values: values))
        }
        objects[path] = object
        revision += 1
    }

    /// - Returns: The names of the interfaces that went.
    func remove(_ path: String) -> [String] {
        setAliases([], of: path)
        revision += 1
        return objects.removeValue(forKey: path)?.map(\.interface.name).sorted() ?? []
    }

    /// Makes exactly these paths lead to the object, as long as it exists and no other object has the path.
    func setAliases(_ paths: [String], of path: String) {
        let earlier = aliasesOfObjects[path] ?? []
        let paths = paths.filter { $0 != path }
        guard paths != earlier else { return }
        // An alias that leads elsewhere by now belongs to another object.
        for alias in earlier where aliases[alias] == path { aliases[alias] = nil }
        for alias in paths { aliases[alias] = path }
        aliasesOfObjects[path] = paths.isEmpty ? nil : paths
        revision += 1
    }

    /// The own path of the object that a caller means.
    func canonical(_ path: String) -> String { objects[path] == nil ? aliases[path] ?? path : path }

    /// Replaces all values.
    ///
    /// - Returns: The sorted names of the changed values whose changes are signalled; `nil` if the object doesn't
    ///   exist.
    func replace(_ path: String, _ interface: String, _ values: any DBusPropertyValues) -> [String]? {
        guard let index = index(path, interface), let old = objects[path]?[index] else { return nil }
        objects[path]?[index].values = values
        revision += 1
        var changed: [String] = []
        for property in old.interface.properties.values where property.emits.isSignalled && property.read == nil {
            if old.values.value(of: property.name) != values.value(of: property.name) { changed.append(property.name) }
        }
        return changed.sorted()
    }

    /// Stores values of declared properties with the declared type, and ignores the rest, for an object whose values are a
    /// dictionary.
    ///
    /// - Returns: As ``replace(_:_:_:)``.
    func update(_ path: String, _ interface: String, _ values: [String: DBusValue]) -> [String]? {
        guard let entry = entry(path, interface), var known = entry.values as? [String: DBusValue] else { return nil }
        for (name, value) in values where entry.interface.properties[name]?.signature == value.signature {
            known[name] = value
        }
        return replace(path, interface, known)
    }

    func entry(_ path: String, _ interface: String) -> Entry? {
        objects[path]?.first { $0.interface.name == interface }
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

    private func index(_ path: String, _ interface: String) -> Int? {
        objects[path]?.firstIndex { $0.interface.name == interface }
    }

    private func contains(_ path: String) -> Bool { path == root || root == "/" || path.hasPrefix(root + "/") }
}

/// The object requested last: sd-bus requests every interface and every property of one object before the next, and a
/// look-up costs more than an answer.
struct LastObject {
    private var path: ContiguousArray<CChar> = []
    private var revision = -1
    private var entries: [ObjectTree.Entry] = []

    mutating func entry(
        _ tree: ObjectTree, _ path: UnsafePointer<CChar>, _ interface: UnsafePointer<CChar>
    ) -> ObjectTree.Entry? {
        if revision != tree.revision || self.path.withUnsafeBufferPointer({ !isEqual($0, path) }) {
            let text = String(cString: path)
            self.path = text.utf8CString
            entries = tree.objects[tree.canonical(text)] ?? []
            revision = tree.revision
        }
        return entries.first { $0.interface.isNamed(interface) }
    }

    private func isEqual(_ text: UnsafeBufferPointer<CChar>, _ other: UnsafePointer<CChar>) -> Bool {
        text.baseAddress.map { strcmp($0, other) == 0 } ?? false
    }
}
