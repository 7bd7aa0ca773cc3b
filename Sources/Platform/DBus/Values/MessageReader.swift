import CSystemd
import Glibc

/// Reads the body of a received message from its beginning.
///
/// sd-bus has checked the message against its signature and bounds the depth of containers (128), so the recursion
/// here is bounded too.
struct MessageReader {
    private let message: OpaquePointer

    private init(_ message: OpaquePointer) { self.message = message }

    /// All arguments.
    static func arguments(of message: OpaquePointer) throws(DBusError) -> [DBusValue] {
        try check(sd_bus_message_rewind(message, 1), "read a message")
        var reader = MessageReader(message)
        return try reader.rest()
    }

    /// The next value at the message's read position.
    static func nextValue(of message: OpaquePointer) throws(DBusError) -> DBusValue {
        var reader = MessageReader(message)
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

    private func text(_ type: CChar) throws(DBusError) -> String {
        var pointer: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &pointer) { sd_bus_message_read_basic(message, type, $0) }
        try check(result, "read a message")
        return pointer.map { String(cString: $0) } ?? ""
    }

    private func bytes() throws(DBusError) -> [UInt8] {
        var pointer: UnsafeRawPointer?
        var size = 0
        try check(sd_bus_message_read_array(message, code("y"), &pointer, &size), "read a message")
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
