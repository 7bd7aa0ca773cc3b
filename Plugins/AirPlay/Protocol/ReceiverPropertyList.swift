import Foundation

/// Reads a property list that a receiver sent, of whichever form.
package enum ReceiverPropertyList {
    /// Parses a property list.
    ///
    /// - Returns: `nil` unless it is a dictionary without sets. No receiver sends sets, and Foundation crashes when it
    ///   bridges one.
    package static func dictionary(_ bytes: [UInt8]) -> [String: Any]? {
        guard !bytes.starts(with: "bplist".utf8) || hasNoSet(bytes) else { return nil }
        return (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) as? [String: Any]
    }

    /// Returns a number; `nil` if the value isn't a finite number.
    static func number(_ key: String, in values: [String: Any]) -> Double? {
        guard let number = values[key] as? NSNumber, number.doubleValue.isFinite else { return nil }
        return number.doubleValue
    }

    /// Returns the receiver's reason for a failure; `nil` if there is none.
    static func failure(in values: [String: Any]) -> String? {
        guard let error = values["error"] as? [String: Any] else { return nil }
        let code = number("code", in: error).map { String(Int(exactly: $0.rounded()) ?? 0) }
        return [(error["domain"] as? String).map { String($0.prefix(80)) }, code].compactMap { $0 }
            .joined(separator: " ")
    }

    /// Checks the first byte of every object, which determines its type.
    ///
    /// Source: the format as described in CFBinaryPList.c: the last 32 bytes contain the width of an offset, the number
    /// of objects, and the position of the offset table.
    private static func hasNoSet(_ bytes: [UInt8]) -> Bool {
        let end = bytes.count - 32
        guard end >= 8 else { return false }
        let (width, count) = (Int(bytes[end + 6]), number(bytes[(end + 8)..<(end + 16)]))
        let table = number(bytes[(end + 24)...])
        guard (1...8).contains(width), count <= end, table <= end, table + count * width <= end else { return false }
        return (0..<count).allSatisfy { index in
            let place = table + index * width
            let offset = number(bytes[place..<(place + width)])
            return offset < bytes.count && bytes[offset] >> 4 != 0xC
        }
    }

    /// Returns a big-endian number, clamped to the range of `Int`.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) })
    }
}
