import DBus
import Foundation
import HostInterface

/// A reader that returns a call's arguments in order, each with its type.
struct ArgumentReader {
    private var remaining: ArraySlice<DBusValue>

    init(_ arguments: [DBusValue]) { remaining = arguments[...] }

    mutating func text(_ name: String) throws(DBusError) -> String {
        guard let text = try next(name).asString else { throw Self.invalid("\(name) isn't a string") }
        return text
    }

    mutating func flag(_ name: String) throws(DBusError) -> Bool {
        guard let flag = try next(name).asBool else { throw Self.invalid("\(name) isn't a boolean") }
        return flag
    }

    mutating func integer(_ name: String) throws(DBusError) -> Int {
        guard let number = try next(name).asInt64 else { throw Self.invalid("\(name) isn't an integer") }
        return Int(number)
    }

    mutating func data(_ name: String) throws(DBusError) -> Data {
        guard let bytes = try next(name).asBytes else { throw Self.invalid("\(name) isn't an array of bytes") }
        return Data(bytes)
    }

    /// Reads a volume, clamped to `0.0...1.0`.
    mutating func level() throws(DBusError) -> Float {
        guard let level = try next("level").asDouble, !level.isNaN else { throw Self.invalid("level isn't a number") }
        return Float(min(1, max(0, level)))
    }

    mutating func session() throws(DBusError) -> String {
        let session = try text("session")
        guard !session.isEmpty else { throw Self.invalid("session is empty") }
        return session
    }

    /// Reads a device's identifier.
    mutating func identifier() throws(DBusError) -> UUID {
        let text = try text("device")
        guard let identifier = UUID(uuidString: text) else { throw Self.invalid("device “\(text)” isn't a UUID") }
        return identifier
    }

    mutating func url() throws(DBusError) -> URL {
        let text = try text("url")
        guard let url = URL(string: text), url.scheme != nil else { throw Self.invalid("“\(text)” isn't a URL") }
        return url
    }

    mutating func device() throws(DBusError) -> DeviceDescription {
        let device = try dictionary(DeviceDescription.self)
        guard UUID(uuidString: device.id) != nil else { throw Self.invalid("device “\(device.id)” isn't a UUID") }
        return device
    }

    mutating func dictionary<Value: Decodable>(_ type: Value.Type) throws(DBusError) -> Value {
        try Self.decode(type, from: next("\(type)"))
    }

    /// Reads an array of `a{sv}`.
    mutating func dictionaries<Value: Decodable>(_ type: Value.Type) throws(DBusError) -> [Value] {
        guard let elements = try next("\(type)").asArray else { throw Self.invalid("there is no list of \(type)") }
        var values: [Value] = []
        for element in elements { values.append(try Self.decode(type, from: element)) }
        return values
    }

    private mutating func next(_ name: String) throws(DBusError) -> DBusValue {
        guard let value = remaining.popFirst() else { throw Self.invalid("\(name) is missing") }
        return value
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, from value: DBusValue) throws(DBusError) -> Value {
        try DBusDictionaryDecoder().decode(type, from: value)
    }

    private static func invalid(_ message: String) -> DBusError {
        DBusError(name: DBusError.Name.invalidArguments, message: message)
    }
}
