import DBus

/// D-Bus values as bytes and back, in a format in which most changes of a byte give other valid values.
///
/// Shape: the type's letter, then the data for it; numbers of eight bytes, counts and lengths of one or two. `ay` is
/// `A`. Not the wire's form: that has paddings and lengths that must agree, and is tested by ``FuzzTarget/busMessage``.
struct ValueBytes {
    private var rest: ArraySlice<UInt8>
    private var left = 5_000

    init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// All values up to the end, or to the first invalid one.
    mutating func values() -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = value(depth: 0) { values.append(value) }
        return values
    }

    private mutating func value(depth: Int) -> DBusValue? {
        guard let type = rest.popFirst(), depth < 12, left > 0 else { return nil }
        left -= 1
        switch Character(Unicode.Scalar(type)) {
        case "y": return .byte(byte())
        case "b": return .boolean(byte() & 1 == 1)
        case "n": return .int16(Int16(truncatingIfNeeded: number()))
        case "q": return .uint16(UInt16(truncatingIfNeeded: number()))
        case "i": return .int32(Int32(truncatingIfNeeded: number()))
        case "u": return .uint32(UInt32(truncatingIfNeeded: number()))
        case "x": return .int64(Int64(bitPattern: number()))
        case "t": return .uint64(number())
        case "d": return .double(Double(bitPattern: number()))
        case "s": return .string(text())
        case "o": return .objectPath(text())
        case "g": return .signature(text())
        case "A": return .bytes(Array(take(length())))
        case "v": return value(depth: depth + 1).map { .variant($0) }
        case "r": return .structure(several(depth))
        case "a":
            let elements = several(depth)
            let signature = elements.first?.signature ?? "s"
            return .array(of: signature, elements.filter { $0.signature == signature })
        case "e":
            var entries: [DBusValue: DBusValue] = [:]
            for _ in 0..<byte() {
                let key = text()
                guard let value = value(depth: depth + 1) else { break }
                entries[.string(key)] = .variant(value)
            }
            return .dictionary(key: "s", value: "v", entries)
        default: return nil
        }
    }

    private mutating func several(_ depth: Int) -> [DBusValue] {
        var values: [DBusValue] = []
        for _ in 0..<byte() {
            guard let value = value(depth: depth + 1) else { break }
            values.append(value)
        }
        return values
    }

    private mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    private mutating func number() -> UInt64 { (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) } }

    private mutating func length() -> Int { Int(byte()) << 8 | Int(byte()) }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func text() -> String { String(decoding: take(length()), as: UTF8.self) }
}

extension ValueBytes {
    static func encoded(_ values: [DBusValue]) -> [UInt8] { values.flatMap(encoded) }

    /// Descriptors have no bytes.
    static func encoded(_ value: DBusValue) -> [UInt8] {
        switch value {
        case .byte(let value): letter("y") + [value]
        case .boolean(let value): letter("b") + [value ? 1 : 0]
        case .int16(let value): letter("n") + number(UInt64(truncatingIfNeeded: value))
        case .uint16(let value): letter("q") + number(UInt64(value))
        case .int32(let value): letter("i") + number(UInt64(truncatingIfNeeded: value))
        case .uint32(let value): letter("u") + number(UInt64(value))
        case .int64(let value): letter("x") + number(UInt64(bitPattern: value))
        case .uint64(let value): letter("t") + number(value)
        case .double(let value): letter("d") + number(value.bitPattern)
        case .string(let value): letter("s") + sized(value.utf8)
        case .objectPath(let value): letter("o") + sized(value.utf8)
        case .signature(let value): letter("g") + sized(value.utf8)
        case .bytes(let value): letter("A") + sized(value)
        case .variant(let value): letter("v") + encoded(value)
        case .structure(let fields): letter("r") + [UInt8(fields.count)] + encoded(fields)
        case .array(_, let elements): letter("a") + [UInt8(elements.count)] + encoded(elements)
        case .dictionary(_, _, let entries):
            entries.reduce(letter("e") + [UInt8(entries.count)]) { bytes, entry in
                bytes + sized((entry.key.asString ?? "").utf8) + encoded(entry.value.unwrapped)
            }
        case .fileDescriptor: []
        }
    }

    private static func letter(_ letter: Unicode.Scalar) -> [UInt8] { [UInt8(ascii: letter)] }

    private static func number(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func sized(_ bytes: some Collection<UInt8>) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}
