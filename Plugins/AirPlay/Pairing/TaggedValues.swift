/// The values of a pairing message. Each has a tag, a length of one byte and its bytes; longer values consist of
/// several pieces.
///
/// Source: HomeKit Accessory Protocol Specification (non-commercial), "TLV8".
package struct TaggedValues: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package var tag: UInt8
        package var value: [UInt8]

        package init(_ tag: UInt8, _ value: [UInt8]) {
            self.tag = tag
            self.value = value
        }
    }

    package enum Tag: UInt8, Sendable, Hashable {
        case method = 0
        case identifier, salt, publicKey, proof, encryptedData, state, error, retryDelay, certificate, signature
        case permissions, fragment, lastFragment
        case flags = 0x13
        case separator = 0xFF
    }

    /// The longest accepted message in bytes.
    package static let limit = 1 << 16
    private static let pieceLength = 255

    package private(set) var items: [Item]

    package init(_ items: [Item] = []) { self.items = items }

    package init(_ values: [(Tag, [UInt8])]) { items = values.map { Item($0.0.rawValue, $0.1) } }

    /// Parses a message. Consecutive pieces of one value are joined.
    ///
    /// - Throws: ``PairingError/malformed(_:)`` if a value exceeds the message.
    package init(_ message: [UInt8]) throws(PairingError) {
        guard message.count <= Self.limit else { throw .malformed("\(message.count) bytes of tagged values") }
        items = []
        var offset = 0
        /// A Boolean value that indicates whether the last piece was full, so that the next one with its tag continues
        /// it.
        var isOpen = false
        while offset < message.count {
            guard offset + 1 < message.count else { throw .malformed("a tag without a length") }
            let (tag, length) = (message[offset], Int(message[offset + 1]))
            let (begin, end) = (offset + 2, offset + 2 + length)
            guard end <= message.count else { throw .malformed("a value beyond the end") }
            if isOpen, let last = items.indices.last, items[last].tag == tag {
                items[last].value += message[begin..<end]
            } else {
                items.append(Item(tag, Array(message[begin..<end])))
            }
            isOpen = length == Self.pieceLength
            offset = end
        }
    }

    /// The first value of a tag.
    package subscript(tag: Tag) -> [UInt8]? { items.first { $0.tag == tag.rawValue }?.value }

    /// The encoded message. An empty piece separates two values with the same tag if the first would otherwise
    /// continue.
    package var encoded: [UInt8] {
        items.indices.flatMap { index in
            let item = items[index]
            var bytes: [UInt8] = []
            var rest = item.value[...]
            repeat {
                let piece = rest.prefix(Self.pieceLength)
                bytes += [item.tag, UInt8(piece.count)] + piece
                rest = rest.dropFirst(piece.count)
            } while !rest.isEmpty
            let endsFull = !item.value.isEmpty && item.value.count.isMultiple(of: Self.pieceLength)
            let isFollowed = index + 1 < items.endIndex && items[index + 1].tag == item.tag
            return endsFull && isFollowed ? bytes + [item.tag, 0] : bytes
        }
    }
}
