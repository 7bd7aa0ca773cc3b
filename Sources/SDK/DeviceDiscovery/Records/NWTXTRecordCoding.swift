import Foundation

extension NWTXTRecord {
    /// Reads a record as it is on the wire: strings, each with its length in the byte before it (RFC 6763 §6.1).
    ///
    /// As the RFC asks, strings without a key are passed over, and of one key only the first counts. `nil` if a string
    /// goes beyond the end, or the record is larger than 65,535 bytes.
    public init?(_ data: Data) {
        guard data.count <= Self.greatestSize else { return nil }
        self.init()
        var rest = data[...]
        while let length = rest.popFirst().map(Int.init) {
            guard length <= rest.count else { return nil }
            let string = rest.prefix(length)
            rest = rest.dropFirst(length)
            let key = string.prefix { $0 != UInt8(ascii: "=") }
            guard Self.isKey(key) else { continue }
            let name = String(decoding: key, as: UTF8.self)
            guard getEntry(for: name) == nil else { continue }
            let value = key.endIndex == string.endIndex ? Entry.none : Entry(bytes: string[(key.endIndex + 1)...])
            _ = setEntry(value, for: name)
        }
    }

    /// The record as it is on the wire; an empty one is a single zero byte.
    public var data: Data {
        guard !isEmpty else { return Data([0]) }
        return reduce(into: Data()) { data, entry in
            var string = Array(entry.key.utf8)
            if let bytes = entry.value.bytes { string += [UInt8(ascii: "=")] + bytes }
            data.append(UInt8(string.count))
            data.append(contentsOf: string)
        }
    }

    /// A record of values as the host sends them; keys in alphabetical order, what breaks the limits is left out.
    init(values: [String: Data]) {
        self.init()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { _ = setEntry(Entry(bytes: value), for: key) }
    }
}
