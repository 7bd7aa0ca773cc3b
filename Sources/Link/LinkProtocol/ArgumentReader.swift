package import DBus
import Foundation
import HostInterface

/// Reads the arguments of one message in order, each with its type.
package struct ArgumentReader {
    private var rest: ArraySlice<DBusValue>

    package init(_ values: [DBusValue]) { rest = values[...] }

    mutating func next() throws(MalformedMessage) -> DBusValue {
        guard let value = rest.popFirst() else { throw MalformedMessage("too few arguments") }
        return value
    }

    /// Reads an `a{sv}`.
    package mutating func value<Value: Decodable>(_ type: Value.Type) throws(MalformedMessage) -> Value {
        try Self.decode(type, from: next())
    }

    /// Reads an `aa{sv}`.
    mutating func values<Value: Decodable>(_ type: Value.Type) throws(MalformedMessage) -> [Value] {
        guard let elements = try next().asArray else { throw MalformedMessage("expected an array of \(type)") }
        var values: [Value] = []
        for element in elements { values.append(try Self.decode(type, from: element)) }
        return values
    }

    /// Reads a string unchanged. Use ``text()`` for an extension's texts for people.
    mutating func string() throws(MalformedMessage) -> String {
        guard let string = try next().asString else { throw MalformedMessage("expected a string") }
        return string
    }

    mutating func flag() throws(MalformedMessage) -> Bool {
        guard let flag = try next().asBool else { throw MalformedMessage("expected a Boolean") }
        return flag
    }

    mutating func integer() throws(MalformedMessage) -> Int {
        guard let integer = try next().asInt64 else { throw MalformedMessage("expected an integer") }
        return Int(integer)
    }

    mutating func descriptor() throws(MalformedMessage) -> DBusDescriptor {
        guard case .fileDescriptor(let descriptor) = try next() else { throw MalformedMessage("expected a descriptor") }
        return descriptor
    }

    /// Reads the number of a browser or of another exchange that takes several messages.
    mutating func number() throws(MalformedMessage) -> UInt32 {
        guard let value = try next().asUInt64, let number = UInt32(exactly: value) else {
            throw MalformedMessage("expected a number of 32 bits")
        }
        return number
    }

    /// Reads a level; `nil` if it is negative (unknown), otherwise clamped to `0.0...1.0`.
    mutating func level() throws(MalformedMessage) -> Double? {
        guard let level = try next().asDouble, !level.isNaN else { throw MalformedMessage("expected a level") }
        return level < 0 ? nil : min(level, 1)
    }

    mutating func data(limit: Int = .max) throws(MalformedMessage) -> Data {
        guard let bytes = try next().asBytes else { throw MalformedMessage("expected bytes") }
        guard bytes.count <= limit else { throw MalformedMessage("more than \(limit) bytes") }
        return Data(bytes)
    }

    /// Reads a UUID, and returns it in upper case.
    mutating func deviceIdentifier() throws(MalformedMessage) -> String {
        try Self.deviceIdentifier(try text())
    }

    static func deviceIdentifier(_ text: String) throws(MalformedMessage) -> String {
        guard text.utf8.count == 36, let identifier = UUID(uuidString: text) else {
            throw MalformedMessage("the device identifier “\(try checked(text).prefix(40))” isn't a UUID")
        }
        return identifier.uuidString
    }

    /// Reads the identifier of a session that the host chose.
    mutating func hostSession() throws(MalformedMessage) -> String {
        let session = try string()
        guard !session.isEmpty else { throw MalformedMessage("the session is empty") }
        return session
    }

    /// Reads a device as the host knows it, which was checked when the extension reported it.
    mutating func hostDevice() throws(MalformedMessage) -> DeviceDescription {
        var device = try value(DeviceDescription.self)
        device.id = try Self.deviceIdentifier(device.id)
        return device
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, from value: DBusValue
    ) throws(MalformedMessage) -> Value {
        do throws(DBusError) {
            return try DBusDictionaryDecoder().decode(type, from: value)
        } catch {
            throw MalformedMessage(error.message)
        }
    }
}
