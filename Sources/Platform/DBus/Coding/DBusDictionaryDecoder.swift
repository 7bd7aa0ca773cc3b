import FoundationEssentials

/// Reads `Decodable` structures from the output of ``DBusDictionaryEncoder``.
///
/// Integers may have any type that fits, doubles may be integers, variants may be anywhere, an empty array may have any
/// element type, and unknown keys are ignored.
package struct DBusDictionaryDecoder: Sendable {
    package init() {}

    /// - Throws: ``DBusError/Name/invalidArguments`` naming the key, such as `artwork.0.url`.
    package func decode<Value: Decodable>(_ type: Value.Type, from value: DBusValue) throws(DBusError) -> Value {
        do {
            return try ValueDecoder(value: value.unwrapped, codingPath: []).decode(type)
        } catch let error as DBusError {
            throw error
        } catch let error as DecodingError {
            throw .invalidArguments(error.sentence)
        } catch {
            throw DBusError(error)
        }
    }
}

extension DecodingError {
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, let context): "\(keyPath(context.codingPath + [key])): is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(keyPath(context.codingPath)): \(context.debugDescription)"
        @unknown default: String(describing: self)
        }
    }
}

/// A decoder of one value other than a variant.
struct ValueDecoder: Decoder {
    let value: DBusValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let entries = value.asDictionary else { throw mismatch("a dictionary") }
        return KeyedDecodingContainer(KeyedValues(entries: entries, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.asArray else { throw mismatch("an array") }
        return UnkeyedValues(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValue(decoder: self) }

    /// Types that have a shape of their own on the wire, and all others by their own decoding.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Data.self {
            guard let bytes = value.asBytes, let data = Data(bytes) as? Value else { throw mismatch("ay") }
            return data
        }
        if type == [UInt8].self {
            guard let bytes = value.asBytes, let array = bytes as? Value else { throw mismatch("ay") }
            return array
        }
        if type == URL.self {
            guard let text = value.asString, let url = URL(string: text) as? Value else { throw mismatch("a URL") }
            return url
        }
        if type == DBusDescriptor.self {
            guard let descriptor = value.asFileDescriptor as? Value else { throw mismatch("h") }
            return descriptor
        }
        return try type.init(from: self)
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        if let signed = value.asInt64, let number = Number(exactly: signed) { return number }
        if let unsigned = value.asUInt64, let number = Number(exactly: unsigned) { return number }
        guard value.asInt64 == nil, value.asUInt64 == nil else {
            throw DBusError.invalidArguments("\(keyPath(codingPath)): \(value) is out of range")
        }
        throw mismatch("an integer")
    }

    func mismatch(_ expected: String) -> DBusError {
        .invalidArguments("\(keyPath(codingPath)): expected \(expected), found \(value.signature)")
    }
}
