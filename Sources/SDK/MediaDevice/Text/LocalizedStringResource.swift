/// A text for people, written in source as a string literal, with or without interpolation.
///
/// Foundation on Linux has no such type. This one keeps the text as written, because there are no translations.
public struct LocalizedStringResource: Sendable, Hashable, Codable, ExpressibleByStringInterpolation,
    CustomStringConvertible
{
    /// The key for translations.
    public let key: String
    /// The text to show.
    public let defaultValue: String
    /// The name of the table for translations; stored but not used.
    public let table: String?

    /// Creates a resource from a string literal.
    public init(stringLiteral value: String) { self.init(text: value, key: value, table: nil) }

    /// Creates a resource from an interpolated string literal.
    public init(stringInterpolation: DefaultStringInterpolation) {
        self.init(stringLiteral: String(stringInterpolation: stringInterpolation))
    }

    /// Creates a resource with its own key.
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

    /// The text to show.
    public var description: String { defaultValue }
}

extension String {
    /// Creates a string from a localized resource.
    public init(localized resource: LocalizedStringResource) { self = resource.defaultValue }
}
