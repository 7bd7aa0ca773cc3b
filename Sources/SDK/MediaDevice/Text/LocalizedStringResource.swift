/// A text for people, written in source as a string literal, with or without interpolation.
///
/// Foundation on Linux has no such type. This one keeps the text as written: there is no table of translations to look
/// it up in.
public struct LocalizedStringResource: Sendable, Hashable, Codable, ExpressibleByStringInterpolation,
    CustomStringConvertible
{
    /// What a table of translations would be searched for.
    public let key: String
    /// The text shown.
    public let defaultValue: String
    /// The table's name; kept, and not used.
    public let table: String?

    public init(stringLiteral value: String) { self.init(text: value, key: value, table: nil) }

    public init(stringInterpolation: DefaultStringInterpolation) {
        self.init(stringLiteral: String(stringInterpolation: stringInterpolation))
    }

    /// A text with a key of its own.
    public init(
        _ key: StaticString, defaultValue: String? = nil, table: String? = nil, comment: StaticString? = nil
    ) {
        self.init(text: defaultValue ?? "\(key)", key: "\(key)", table: table)
    }

    private init(text: String, key: String, table: String?) {
        self.key = key
        defaultValue = text
        self.table = table
    }

    public var description: String { defaultValue }
}

extension String {
    /// The text of a localized resource.
    public init(localized resource: LocalizedStringResource) { self = resource.defaultValue }
}
