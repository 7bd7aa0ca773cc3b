/// A value with its exact D-Bus type (D-Bus specification, "Type System").
package enum DBusValue: Sendable, Hashable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    /// D-Bus has no U+0000: U+FFFD (replacement character) is sent in its place.
    case string(String)
    case objectPath(String)
    case signature(String)
    case fileDescriptor(DBusDescriptor)
    /// `ay`, the one array that is read and written in one piece.
    case bytes([UInt8])
    /// An array whose elements all have the signature `of`.
    case array(of: String, [DBusValue])
    /// At least one field.
    case structure([DBusValue])
    /// A dictionary from the basic type `key` to `value`, both signatures. Of equal keys on the wire the last stays.
    case dictionary(key: String, value: String, [DBusValue: DBusValue])
    indirect case variant(DBusValue)

    /// The complete type: `a{sv}`, `(ib)`.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .bytes: "ay"
        case .array(let element, _): "a" + element
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .dictionary(let key, let value, _): "a{" + key + value + "}"
        case .variant: "v"
        }
    }
}

extension DBusValue {
    /// An `as`.
    package static func strings(_ values: some Sequence<String>) -> DBusValue {
        .array(of: "s", values.map { .string($0) })
    }

    /// An `a{sv}`; values that are no variants yet become ones.
    package static func properties(_ values: [String: DBusValue]) -> DBusValue {
        var entries: [DBusValue: DBusValue] = [:]
        entries.reserveCapacity(values.count)
        for (key, value) in values {
            if case .variant = value { entries[.string(key)] = value } else { entries[.string(key)] = .variant(value) }
        }
        return .dictionary(key: "s", value: "v", entries)
    }
}

// MARK: Reading, through variants

extension DBusValue {
    /// The value inside any number of variants.
    package var unwrapped: DBusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// A string, object path or signature.
    package var asString: String? {
        switch unwrapped {
        case .string(let value), .objectPath(let value), .signature(let value): value
        default: nil
        }
    }

    package var asBool: Bool? {
        if case .boolean(let value) = unwrapped { value } else { nil }
    }

    /// Any integer type, if the value fits.
    package var asInt64: Int64? {
        switch unwrapped {
        case .byte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// Any integer type, if the value fits.
    package var asUInt64: UInt64? {
        if case .uint64(let value) = unwrapped { value } else { asInt64.flatMap { UInt64(exactly: $0) } }
    }

    /// A double, or any integer.
    package var asDouble: Double? {
        switch unwrapped {
        case .double(let value): value
        case .uint64(let value): Double(value)
        case let other: other.asInt64.map { Double($0) }
        }
    }

    /// An `ay`; an empty array of any other type reads as no bytes.
    package var asBytes: [UInt8]? {
        switch unwrapped {
        case .bytes(let value): value
        case .array(_, let elements) where elements.isEmpty: []
        default: nil
        }
    }

    /// The elements of any array (bytes too), or the fields of a structure.
    package var asArray: [DBusValue]? {
        switch unwrapped {
        case .array(_, let elements): elements
        case .structure(let fields): fields
        case .bytes(let bytes): bytes.map { .byte($0) }
        default: nil
        }
    }

    /// A dictionary with string keys (`a{sv}`, `a{ss}`, …), its values without their variants.
    package var asDictionary: [String: DBusValue]? {
        guard case .dictionary("s", _, let entries) = unwrapped else { return nil }
        var result: [String: DBusValue] = [:]
        result.reserveCapacity(entries.count)
        for case (.string(let key), let value) in entries { result[key] = value.unwrapped }
        return result
    }

    package var asFileDescriptor: DBusDescriptor? {
        if case .fileDescriptor(let value) = unwrapped { value } else { nil }
    }
}
