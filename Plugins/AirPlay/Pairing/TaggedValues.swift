/// The values of a pairing message: each a tag, a length of one byte and as many bytes; longer ones come in pieces.
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

    /// Bytes of a message; what is longer is refused.
    package static let limit = 1 << 16
    private static let pieceLength = 255

    package private(set) var items: [Item]

    package init(_ items: [Item] = []) { self.items = items }

    package init(_ values: [(Tag, [UInt8])]) { items = values.map { Item($0.0.rawValue, $0.1) } }

    /// Reads a message; pieces of one value that follow each other become one.
    ///
    /// - Throws: ``PairingError/malformed(_:)`` where a value ends behind the message.
    package init(_ message: [UInt8]) throws(PairingError) {
        guard message.count <= Self.limit else { throw .malformed("\(message.count) bytes of tagged values") }
        items = []
        var offset = 0
        /// Whether the piece before was full, so that the next one of its tag goes on with it.
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

    /// The first value of the tag.
    package subscript(tag: Tag) -> [UInt8]? { items.first { $0.tag == tag.rawValue }?.value }

    /// Two values of one tag behind each other are told apart by a separator, which is the writer's affair, or here by an
    /// empty piece where the first would seem to go on.
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
