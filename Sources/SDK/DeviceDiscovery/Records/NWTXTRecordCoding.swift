public import Foundation

extension NWTXTRecord {
    /// Parses a record in wire format: strings, each after a byte with its length (RFC 6763 §6.1).
    ///
    /// As the RFC requires, strings without a key are ignored, and only the first of equal keys counts. `nil` if a
    /// string exceeds the data, or the record has more than 65,535 bytes.
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

    /// The record in wire format. An empty record is a single zero byte.
    public var data: Data {
        guard !isEmpty else { return Data([0]) }
        return reduce(into: Data()) { data, entry in
            var string = Array(entry.key.utf8)
            if let bytes = entry.value.bytes { string += [UInt8(ascii: "=")] + bytes }
            data.append(UInt8(string.count))
            data.append(contentsOf: string)
        }
    }

    /// Creates a record from the host's values, with keys in alphabetical order. Entries that exceed a limit are
    /// omitted.
    init(values: [String: Data]) {
        self.init()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { _ = setEntry(Entry(bytes: value), for: key) }
    }
}
