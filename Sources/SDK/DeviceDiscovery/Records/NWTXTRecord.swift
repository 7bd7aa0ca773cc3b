import Foundation

/// Keys and values that a service publishes beside its name (RFC 6763 §6).
///
/// Keys are printable ASCII without `=`, and compared without regard to case. A key with its value takes at most 255
/// bytes, the whole record at most 65,535. Two records are equal if they say the same, in whatever order.
public struct NWTXTRecord: Hashable, Sendable {
    /// What a key says.
    public enum Entry: Hashable, Sendable, CustomDebugStringConvertible {
        /// The key is there without a value: `key`.
        case none
        /// The value is there and empty: `key=`.
        case empty
        /// The value is text in UTF-8.
        case string(String)
        /// The value is no text.
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

    /// Lower-case keys in the order they were added.
    private var order: [String] = []
    /// Lower-case key to the key as it was written.
    private var spellings: [String: String] = [:]
    /// Lower-case key to what it says.
    private var entries: [String: Entry] = [:]
    /// Bytes of the record so far.
    private var size = 0

    private static let greatestEntrySize = 255
    static let greatestSize = 65_535

    /// Makes an empty record.
    public init() {}

    /// Makes a record of texts, keys in alphabetical order; what breaks the limits is left out.
    public init(_ dictionary: [String: String]) {
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            _ = setEntry(value.isEmpty ? .empty : .string(value), for: key)
        }
    }

    /// The text of a key: empty for a key without value, `nil` for an absent key or a value that is no text.
    ///
    /// Setting `nil` removes the key; a text that breaks the limits leaves the record as it is.
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

    /// What a key says; `nil` if it is absent.
    public func getEntry(for key: String) -> Entry? { entries[key.lowercased()] }

    /// Sets what a key says; its place in the order stays.
    ///
    /// - Returns: Whether it fits: false for a key that is empty or has other characters, or if a limit is broken.
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
    /// - Returns: Whether it was there.
    public mutating func removeEntry(key: String) -> Bool {
        let lower = key.lowercased()
        guard let entry = entries.removeValue(forKey: lower) else { return false }
        size -= Self.size(of: entry, for: spellings.removeValue(forKey: lower) ?? key) ?? 0
        order.removeAll { $0 == lower }
        return true
    }

    /// All keys with a value that is text, or none.
    public var dictionary: [String: String] {
        Dictionary(uniqueKeysWithValues: compactMap { key, value in value.text.map { (key, $0) } })
    }

    /// The bytes of an entry with its length before it; `nil` for an impossible key.
    private static func size(of value: Entry, for key: String) -> Int? {
        guard isKey(key.utf8) else { return nil }
        return 1 + key.utf8.count + (value.bytes.map { 1 + $0.count } ?? 0)
    }

    static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    /// Whether both records say the same.
    public static func == (left: NWTXTRecord, right: NWTXTRecord) -> Bool { left.entries == right.entries }

    /// Hashes what the record says.
    public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension NWTXTRecord: Collection {
    /// A place in the order of keys.
    public struct Index: Comparable, Sendable {
        fileprivate let offset: Int

        /// Whether the first place is before the second.
        public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
    }

    /// The first place.
    public var startIndex: Index { Index(offset: 0) }
    /// The place after the last.
    public var endIndex: Index { Index(offset: order.count) }
    /// The place after another.
    public func index(after index: Index) -> Index { Index(offset: index.offset + 1) }
    /// The key, as it was written, and what it says.
    public subscript(position: Index) -> (key: String, value: Entry) {
        let lower = order[position.offset]
        return (spellings[lower] ?? lower, entries[lower] ?? .none)
    }
}

extension NWTXTRecord: CustomDebugStringConvertible {
    /// Keys and values with commas between.
    public var debugDescription: String { map { "\($0.key): \($0.value)" }.joined(separator: ", ") }
}

extension NWTXTRecord.Entry {
    /// What comes after `=`; `nil` without one.
    var bytes: [UInt8]? {
        switch self {
        case .none: nil
        case .empty: []
        case .string(let text): Array(text.utf8)
        case .data(let data): Array(data)
        }
    }

    /// The text, empty where there is no value; `nil` for other bytes.
    fileprivate var text: String? {
        switch self {
        case .none, .empty: ""
        case .string(let text): text
        case .data: nil
        }
    }

    /// What bytes after `=` say.
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
