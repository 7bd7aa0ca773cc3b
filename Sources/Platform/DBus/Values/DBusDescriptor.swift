import Glibc

/// A descriptor in a message.
///
/// A received descriptor is closed with its last reference: a peer may send some where none are expected.
package final class DBusDescriptor: Sendable {
    /// Holds as long as this object does.
    package let number: Int32
    private let isOwned: Bool

    /// Creates a descriptor to send: it is duplicated, and the sender keeps its own.
    package init(sending number: Int32) {
        self.number = number
        isOwned = false
    }

    /// Creates a descriptor that is closed with its last reference.
    ///
    /// - Parameter number: Taken over.
    package init(received number: Int32) {
        self.number = number
        isOwned = true
    }

    deinit { if isOwned { close(number) } }
}

extension DBusDescriptor: Hashable {
    package static func == (left: DBusDescriptor, right: DBusDescriptor) -> Bool { left.number == right.number }
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// As part of a structure it travels in messages only: ``DBusDictionaryEncoder`` and ``DBusDictionaryDecoder`` know it.
extension DBusDescriptor: Codable {
    package func encode(to encoder: any Encoder) throws {
        throw DBusError.invalidArguments("a descriptor travels in messages only")
    }

    package convenience init(from decoder: any Decoder) throws {
        throw DBusError.invalidArguments("a descriptor travels in messages only")
    }
}
