import CSystemd
import Glibc

/// Reads the body of a received message from its beginning.
///
/// sd-bus has checked the message against its signature and bounds the depth of containers (128), so the recursion
/// here is bounded too.
struct MessageReader {
    /// The limits on the body of a message. Values need many times the memory that they have in the message.
    struct Limits: Sendable {
        var values: Int
        /// The text and byte arrays.
        var bytes: Int

        /// For a message of a peer that is only as trusted as any program of the user, or less.
        static let untrusted = Limits(values: 200_000, bytes: 32 << 20)
        /// For a message of the program that this one depends on.
        static let none = Limits(values: .max, bytes: .max)
    }

    private let message: OpaquePointer
    private var remaining: Limits

    private init(_ message: OpaquePointer, _ limits: Limits) {
        self.message = message
        remaining = limits
    }

    /// All arguments.
    ///
    /// - Throws: ``DBusError/Name/limitsExceeded`` if there are too many.
    static func arguments(of message: OpaquePointer, limits: Limits) throws(DBusError) -> [DBusValue] {
        try check(sd_bus_message_rewind(message, 1), "read a message")
        var reader = MessageReader(message, limits)
        return try reader.rest()
    }

    /// The next value at the message's read position.
    static func nextValue(of message: OpaquePointer, limits: Limits) throws(DBusError) -> DBusValue {
        var reader = MessageReader(message, limits)
        return try reader.required()
    }

    private mutating func rest() throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    private mutating func required() throws(DBusError) -> DBusValue {
        guard let value = try next() else { throw .invalidArguments("a value is missing") }
        return value
    }

    private mutating func next() throws(DBusError) -> DBusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try check(sd_bus_message_peek_type(message, &type, &contents), "read a message") > 0 else { return nil }
        remaining.values -= 1
        guard remaining.values >= 0 else { throw .tooLarge() }
        let inner = contents.map { String(cString: $0) } ?? ""
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "y"): return .byte(try basic(type, UInt8()))
        case UInt8(ascii: "b"): return .boolean(try basic(type, Int32()) != 0)
        case UInt8(ascii: "n"): return .int16(try basic(type, Int16()))
        case UInt8(ascii: "q"): return .uint16(try basic(type, UInt16()))
        case UInt8(ascii: "i"): return .int32(try basic(type, Int32()))
        case UInt8(ascii: "u"): return .uint32(try basic(type, UInt32()))
        case UInt8(ascii: "x"): return .int64(try basic(type, Int64()))
        case UInt8(ascii: "t"): return .uint64(try basic(type, UInt64()))
        case UInt8(ascii: "d"): return .double(try basic(type, Double()))
        case UInt8(ascii: "s"): return .string(try text(type))
        case UInt8(ascii: "o"): return .objectPath(try text(type))
        case UInt8(ascii: "g"): return .signature(try text(type))
        case UInt8(ascii: "h"): return .fileDescriptor(try duplicate(try basic(type, Int32())))
        case UInt8(ascii: "v"):
            return .variant(try container(type, inner) { reader throws(DBusError) in try reader.required() })
        case UInt8(ascii: "r"):
            return .structure(try container(type, inner) { reader throws(DBusError) in try reader.rest() })
        case UInt8(ascii: "a") where inner == "y": return .bytes(try bytes())
        case UInt8(ascii: "a") where inner.hasPrefix("{"): return try dictionary(inner)
        case UInt8(ascii: "a"):
            return .array(of: inner, try container(type, inner) { reader throws(DBusError) in try reader.rest() })
        default: throw .invalidArguments("a message has the unknown type \(type)")
        }
    }

    private func basic<Value: BitwiseCopyable>(_ type: CChar, _ initial: Value) throws(DBusError) -> Value {
        var value = initial
        let result = withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, type, $0) }
        try check(result, "read a message")
        return value
    }

    private mutating func text(_ type: CChar) throws(DBusError) -> String {
        var pointer: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &pointer) { sd_bus_message_read_basic(message, type, $0) }
        try check(result, "read a message")
        guard let pointer else { return "" }
        try take(strlen(pointer))
        return String(cString: pointer)
    }

    private mutating func take(_ bytes: Int) throws(DBusError) {
        remaining.bytes -= bytes
        guard remaining.bytes >= 0 else { throw .tooLarge() }
    }

    private mutating func bytes() throws(DBusError) -> [UInt8] {
        var pointer: UnsafeRawPointer?
        var size = 0
        try check(sd_bus_message_read_array(message, code("y"), &pointer, &size), "read a message")
        try take(size)
        return pointer.map { Array(UnsafeRawBufferPointer(start: $0, count: size)) } ?? []
    }

    private func duplicate(_ descriptor: Int32) throws(DBusError) -> DBusDescriptor {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw DBusError(code: errno, "take a descriptor") }
        return DBusDescriptor(received: copy)
    }

    private mutating func container<Value>(
        _ type: CChar, _ contents: String, _ body: (inout MessageReader) throws(DBusError) -> Value
    ) throws(DBusError) -> Value {
        try check(sd_bus_message_enter_container(message, type, contents), "read a message")
        let value = try body(&self)
        try check(sd_bus_message_exit_container(message), "read a message")
        return value
    }

    private mutating func dictionary(_ entry: String) throws(DBusError) -> DBusValue {
        let pair = String(entry.dropFirst().dropLast())
        let entries = try container(code("a"), entry) { reader throws(DBusError) in
            var entries: [DBusValue: DBusValue] = [:]
            while sd_bus_message_at_end(reader.message, 0) == 0 {
                let (key, value) = try reader.container(code("e"), pair) { reader throws(DBusError) in
                    (try reader.required(), try reader.required())
                }
                entries[key] = value
            }
            return entries
        }
        return .dictionary(key: String(pair.prefix(1)), value: String(pair.dropFirst()), entries)
    }
}
