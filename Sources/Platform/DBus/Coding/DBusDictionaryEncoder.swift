import FoundationEssentials

/// Writes `Encodable` structures as `a{sv}`.
///
/// A nested structure becomes an `a{sv}`; an array of one kind of element a typed array, an empty or mixed one `av`; a
/// dictionary with string keys an `a{s…}` of one type of value, or `a{sv}`; `Data` and `[UInt8]` an `ay`; `Int` an `x`,
/// `UInt` a `t`, `Int8` an `n`, other integers their own type; `Double` and `Float` a `d`; `URL` a string; a type that
/// encodes itself as a single value, such as a raw-value enumeration, that value; ``DBusDescriptor`` an `h`. `nil` is
/// left out, and refused inside arrays.
package struct DBusDictionaryEncoder: Sendable {
    package init() {}

    /// - Returns: A `.dictionary` from `s` to `v`.
    /// - Throws: ``DBusError/Name/invalidArguments`` for a value that doesn't encode with keys or has no D-Bus type.
    package func encode(_ value: some Encodable) throws(DBusError) -> DBusValue {
        let result = try encodeValue(value)
        guard case .dictionary("s", "v", _) = result else {
            guard let entries = result.asDictionary else {
                throw .invalidArguments("\(type(of: value)) does not encode as a dictionary")
            }
            return .properties(entries)
        }
        return result
    }

    /// Any value in its own type: an array of structures as `aa{sv}`, a string as `s`.
    package func encodeValue(_ value: some Encodable) throws(DBusError) -> DBusValue {
        do {
            return try EncodingNode.value(of: value, at: [])
        } catch let error as DBusError {
            throw error
        } catch let error as EncodingError {
            guard case .invalidValue(_, let context) = error else { throw DBusError(error) }
            throw .invalidArguments("\(keyPath(context.codingPath)): \(context.debugDescription)")
        } catch {
            throw DBusError(error)
        }
    }
}

/// Marks dictionaries apart from structures, which also encode with keys.
private protocol StringKeyedDictionary {}
extension Dictionary: StringKeyedDictionary where Key == String {}

/// The node that one value encodes itself into.
final class EncodingNode {
    enum Content {
        /// No value has been encoded yet.
        case nothing
        case null
        case single(DBusValue)
        case keyed([String: EncodingNode])
        case unkeyed([EncodingNode])
    }

    var content = Content.nothing
    /// A Boolean value that indicates whether all values of a keyed node should have one type.
    private var isDictionary = false

    static func value(of encodable: some Encodable, at path: [any CodingKey]) throws -> DBusValue {
        let node = EncodingNode()
        try node.fill(with: encodable, at: path)
        return try node.value(at: path)
    }

    func fill(with encodable: some Encodable, at path: [any CodingKey]) throws {
        switch encodable {
        case let data as Data: content = .single(.bytes(Array(data)))
        // The type check is needed because an empty array of any type also casts to an array of bytes.
        case let bytes as [UInt8] where type(of: encodable) == [UInt8].self: content = .single(.bytes(bytes))
        case let url as URL: content = .single(.string(url.absoluteString))
        case let descriptor as DBusDescriptor: content = .single(.fileDescriptor(descriptor))
        default:
            isDictionary = encodable is any StringKeyedDictionary
            try encodable.encode(to: NodeEncoder(node: self, codingPath: path))
            // A structure none of whose properties has a value never asks for a container.
            if case .nothing = content { content = .keyed([:]) }
        }
    }

    func value(at path: [any CodingKey]) throws -> DBusValue {
        switch content {
        case .single(let value): return value
        case .nothing, .null: throw DBusError.invalidArguments("\(keyPath(path)): nil cannot travel here")
        case .keyed(let nodes):
            var values: [String: DBusValue] = [:]
            for (key, node) in nodes {
                if case .null = node.content { continue }
                values[key] = try node.value(at: path + [NodeKey(key)])
            }
            guard isDictionary, let signature = Self.common(values.values) else { return .properties(values) }
            let entries = values.map { (DBusValue.string($0.key), $0.value) }
            return .dictionary(key: "s", value: signature, Dictionary(uniqueKeysWithValues: entries))
        case .unkeyed(let nodes):
            let values = try nodes.enumerated().map { try $1.value(at: path + [NodeKey($0)]) }
            guard let signature = Self.common(values) else { return .array(of: "v", values.map { .variant($0) }) }
            return .array(of: signature, values)
        }
    }

    private static func common(_ values: some Collection<DBusValue>) -> String? {
        guard let signature = values.first?.signature, values.allSatisfy({ $0.signature == signature }) else {
            return nil
        }
        return signature
    }
}

/// A key of a coding path: a name or a position.
struct NodeKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}

/// `artwork.0.url`, for error messages.
func keyPath(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "the value" : path.map(\.stringValue).joined(separator: ".")
}
