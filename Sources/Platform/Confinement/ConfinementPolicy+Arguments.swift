/// The policy as the command line of the program that applies it.
extension ConfinementPolicy {
    /// The argument that made a command line invalid.
    package struct ArgumentError: Error, Sendable, Hashable {
        package let argument: String
    }

    /// Two strings an option, ``Place/path`` as it is.
    package var arguments: [String] {
        var arguments = places.flatMap { ["--" + $0.access.rawValue, $0.path] }
        arguments += ports.flatMap { ["--port", "\($0)"] }
        if takesConnections { arguments += ["--takes-connections", "yes"] }
        if startsProcesses { arguments += ["--starts-processes", "yes"] }
        if !usesLandlock { arguments += ["--landlock", "no"] }
        if !hidesFiles { arguments += ["--view", "all"] }
        arguments += ["--descriptors", "\(limits.descriptors)", "--file-size", "\(limits.fileSize)"]
        arguments += ["--memory", "\(limits.memory)", "--processes", "\(limits.processes)"]
        return arguments + ["--parent", "\(parent)"]
    }

    /// Parses the arguments written by ``arguments``, up to `--`.
    ///
    /// - Returns: The policy, and the command after `--`: the program's path and its arguments, at least one string.
    package static func parse(_ arguments: [String]) throws(ArgumentError) -> (policy: Self, command: [String]) {
        var policy = ConfinementPolicy(parent: 0)
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--" {
                guard !rest.isEmpty, policy.parent > 0 else { throw ArgumentError(argument: option) }
                return (policy, Array(rest))
            }
            guard let value = rest.popFirst(), policy.set(option, value) else { throw ArgumentError(argument: option) }
        }
        throw ArgumentError(argument: "--")
    }

    private mutating func set(_ option: String, _ value: String) -> Bool {
        func assign<Number: FixedWidthInteger>(_ path: WritableKeyPath<Self, Number>) -> Bool {
            guard let number = Number(value) else { return false }
            self[keyPath: path] = number
            return true
        }
        switch option {
        case "--descriptors": return assign(\.limits.descriptors)
        case "--file-size": return assign(\.limits.fileSize)
        case "--memory": return assign(\.limits.memory)
        case "--processes": return assign(\.limits.processes)
        case "--parent": return assign(\.parent)
        case "--takes-connections": takesConnections = value == "yes"
        case "--starts-processes": startsProcesses = value == "yes"
        case "--landlock": usesLandlock = value != "no"
        case "--view": hidesFiles = value != "all"
        case "--port":
            guard let port = UInt16(value) else { return false }
            ports.append(port)
        default:
            guard option.hasPrefix("--"), let access = Place.Access(rawValue: String(option.dropFirst(2))) else {
                return false
            }
            places.append(Place(value, access))
        }
        return true
    }
}
