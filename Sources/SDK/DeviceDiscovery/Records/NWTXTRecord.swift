public import Foundation

/// A TXT record: the keys and values that a service publishes (RFC 6763 §6).
///
/// Keys are printable ASCII without `=`, and case-insensitive. A key with its value has at most 255 bytes, the record
/// at most 65,535. Two records are equal if their entries are, in any order.
public struct NWTXTRecord: Hashable, Sendable {
    /// The value of a key.
    public enum Entry: Hashable, Sendable, CustomDebugStringConvertible {
        /// The key has no value: `key`.
        case none
        /// The value is empty: `key=`.
        case empty
        /// The value is UTF-8 text.
        case string(String)
        /// The value isn't UTF-8 text.
        case data(Data)

        /// The value for people.
        public var debugDescription: String {
            switch self {
            case .none: "none"
            case .empty: "empty"
            case .string(let text): text
            case .data(let data): "\(data.count) bytes"
            }
        }
    }

    /// The lower-case keys in the order of insertion.
    private var order: [String] = []
    /// The original spelling of each lower-case key.
    private var spellings: [String: String] = [:]
    /// The value of each lower-case key.
    private var entries: [String: Entry] = [:]
    /// The size of the record in bytes.
    private var size = 0

    private static let greatestEntrySize = 255
    static let greatestSize = 65_535

    /// Creates an empty record.
    public init() {}

    /// Creates a record of texts, with keys in alphabetical order. Entries that exceed a limit are omitted.
    public init(_ dictionary: [String: String]) {
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            _ = setEntry(value.isEmpty ? .empty : .string(value), for: key)
        }
    }

    /// The text of a key: empty for a key without a value; `nil` for a missing key, or a value that isn't text.
    ///
    /// Setting `nil` removes the key. A text that exceeds a limit leaves the record unchanged.
    public subscript(key: String) -> String? {
        get { entries[key.lowercased()]?.text }
        set {
            if let newValue {
                _ = setEntry(newValue.isEmpty ? .empty : .string(newValue), for: key)
            } else {
                _ = removeEntry(key: key)
            }
        }
    }

    /// Returns the value of a key; `nil` if the key is missing.
    public func getEntry(for key: String) -> Entry? { entries[key.lowercased()] }

    /// Sets the value of a key. An existing key keeps its place in the order.
    ///
    /// - Returns: `false` if the key is invalid or a limit is exceeded. The record is unchanged then.
    public mutating func setEntry(_ value: Entry, for key: String) -> Bool {
        guard let added = Self.size(of: value, for: key) else { return false }
        let lower = key.lowercased()
        let freed = entries[lower].flatMap { old in Self.size(of: old, for: spellings[lower] ?? key) } ?? 0
        guard added - 1 <= Self.greatestEntrySize, size - freed + added <= Self.greatestSize else { return false }
        if entries.updateValue(value, forKey: lower) == nil { order.append(lower) }
        spellings[lower] = key
        size += added - freed
        return true
    }

    /// Removes a key.
    ///
    /// - Returns: `false` if the key was missing.
    public mutating func removeEntry(key: String) -> Bool {
        let lower = key.lowercased()
        guard let entry = entries.removeValue(forKey: lower) else { return false }
        size -= Self.size(of: entry, for: spellings.removeValue(forKey: lower) ?? key) ?? 0
        order.removeAll { $0 == lower }
        return true
    }

    /// All keys whose value is text or missing.
    public var dictionary: [String: String] {
        Dictionary(uniqueKeysWithValues: compactMap { key, value in value.text.map { (key, $0) } })
    }

    /// Returns the size of an entry with its length byte; `nil` for an invalid key.
    private static func size(of value: Entry, for key: String) -> Int? {
        guard isKey(key.utf8) else { return nil }
        return 1 + key.utf8.count + (value.bytes.map { 1 + $0.count } ?? 0)
    }

    static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    /// Returns a Boolean value that indicates whether two records have the same entries.
    public static func == (left: NWTXTRecord, right: NWTXTRecord) -> Bool { left.entries == right.entries }

    /// Hashes the entries.
    public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension NWTXTRecord: Collection {
    /// A position in the order of keys.
    public struct Index: Comparable, Sendable {
        fileprivate let offset: Int

        /// Returns a Boolean value that indicates whether the first position is before the second.
        public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
    }

    /// The first position.
    public var startIndex: Index { Index(offset: 0) }
    /// The position after the last.
    public var endIndex: Index { Index(offset: order.count) }
    /// Returns the position after another.
    public func index(after index: Index) -> Index { Index(offset: index.offset + 1) }
    /// The key in its original spelling, and its value.
    public subscript(position: Index) -> (key: String, value: Entry) {
        let lower = order[position.offset]
        return (spellings[lower] ?? lower, entries[lower] ?? .none)
    }
}

extension NWTXTRecord: CustomDebugStringConvertible {
    /// The keys and values, separated by commas.
    public var debugDescription: String { map { "\($0.key): \($0.value)" }.joined(separator: ", ") }
}

extension NWTXTRecord.Entry {
    /// The bytes after `=`; `nil` without a value.
    var bytes: [UInt8]? {
        switch self {
        case .none: nil
        case .empty: []
        case .string(let text): Array(text.utf8)
        case .data(let data): Array(data)
        }
    }

    /// The text, empty without a value; `nil` for other bytes.
    fileprivate var text: String? {
        switch self {
        case .none, .empty: ""
        case .string(let text): text
        case .data: nil
        }
    }

    /// Creates a value from the bytes after `=`.
    init(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        if bytes.isEmpty {
            self = .empty
        } else if let text = String(validating: bytes, as: UTF8.self) {
            self = .string(text)
        } else {
            self = .data(Data(bytes))
        }
    }
}
