package import DBus

/// The memory that a message takes while it waits.
package enum MessageCost {
    private static let descriptor = 1 << 20

    /// Returns the approximate size of a message's arguments in bytes.
    package static func bytes(of values: [DBusValue]) -> Int { values.reduce(64) { $0 + bytes(of: $1) } }

    private static func bytes(of value: DBusValue) -> Int {
        switch value {
        case .string(let text), .objectPath(let text), .signature(let text): 16 + text.utf8.count
        case .bytes(let bytes): 16 + bytes.count
        case .array(_, let values), .structure(let values): values.reduce(16) { $0 + bytes(of: $1) }
        case .dictionary(_, _, let entries): entries.reduce(16) { $0 + bytes(of: $1.key) + bytes(of: $1.value) }
        case .variant(let value): 16 + bytes(of: value)
        // There are few of them, so that few may wait.
        case .fileDescriptor: descriptor
        default: 16
        }
    }
}
