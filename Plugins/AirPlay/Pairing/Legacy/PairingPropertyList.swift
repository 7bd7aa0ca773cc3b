import AirPlayProtocol
import Foundation

/// A message of the older pairing: a dictionary of bytes and texts as a binary property list.
package struct PairingPropertyList: Sendable, Hashable {
    /// The longest accepted message in bytes.
    package static let limit = 1 << 14

    private let values: [String: Data]

    /// - Throws: ``PairingError/malformed(_:)`` for anything else than a dictionary.
    package init(_ message: [UInt8]) throws(PairingError) {
        guard message.count <= Self.limit else { throw .malformed("a property list of \(message.count) bytes") }
        guard message.starts(with: "bplist00".utf8), let dictionary = ReceiverPropertyList.dictionary(message) else {
            throw .malformed("no property list")
        }
        values = dictionary.compactMapValues { $0 as? Data }
    }

    /// The bytes of that name.
    package subscript(name: String) -> [UInt8]? { values[name].map { Array($0) } }

    /// - Parameter values: Texts and data.
    package static func encoded(_ values: [String: Any]) throws(PairingError) -> [UInt8] {
        do {
            return Array(try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
        } catch {
            throw .malformed("a message that cannot be written")
        }
    }
}
