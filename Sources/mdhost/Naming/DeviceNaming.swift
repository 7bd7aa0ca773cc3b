import HostClient
import HostInterface

/// Finds the device a person means: by id, by name, or by a prefix of either that fits only one.
enum DeviceNaming {
    /// The device called `text` among `devices`.
    ///
    /// Order: exact id, exact name, name in any case, unique prefix of a name in any case, unique prefix of an id. An
    /// exact match wins over a longer name that begins with it.
    /// - Throws: ``HostError`` `ambiguous-name` listing the candidates, or `no-such-device` with the nearest names.
    static func resolve(_ text: String, in devices: [ClientDevice]) throws(HostError) -> ClientDevice {
        let wanted = text.lowercased()
        let rules: [(ClientDevice) -> Bool] = [
            { $0.id.lowercased() == wanted }, { $0.name == text }, { $0.name.lowercased() == wanted },
            { $0.name.lowercased().hasPrefix(wanted) }, { $0.id.lowercased().hasPrefix(wanted) },
        ]
        for rule in rules where !wanted.isEmpty {
            let matches = devices.filter(rule)
            if matches.count > 1 { throw ambiguous(text, matches) }
            if let match = matches.first { return match }
        }
        throw unknown(text, devices)
    }

    private static func ambiguous(_ text: String, _ matches: [ClientDevice]) -> HostError {
        let list = matches.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
            .map { "\($0.name) (\($0.protocolName), \($0.id.prefix(8)))" }.joined(separator: ", ")
        return HostError(.ambiguousName, "“\(text)” fits several devices: \(list).")
    }

    private static func unknown(_ text: String, _ devices: [ClientDevice]) -> HostError {
        let limit = max(2, text.count / 3)
        let near = devices.map { ($0.name, distance(text.lowercased(), $0.name.lowercased())) }
            .filter { $0.1 <= limit }.sorted { $0.1 < $1.1 }.prefix(3).map { "“\($0.0)”" }
        var message = "No device is called “\(text)”."
        if !near.isEmpty {
            message += " Did you mean \(near.joined(separator: " or "))?"
        } else if devices.isEmpty {
            message = "No device is called “\(text)”; none was found on this network."
        }
        return HostError(.noSuchDevice, message)
    }

    /// Damerau–Levenshtein distance (adjacent transpositions count one).
    static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first), second = Array(second)
        var rows = [Array(0...second.count)]
        for row in 1..<(first.count + 1) where !first.isEmpty {
            var current = [row]
            for column in 1..<(second.count + 1) where !second.isEmpty {
                let isSame = first[row - 1] == second[column - 1]
                var best = min(
                    rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[first.count][second.count]
    }
}
