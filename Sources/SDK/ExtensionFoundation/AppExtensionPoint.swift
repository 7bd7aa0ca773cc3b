/// A point at which extensions extend a host.
public struct AppExtensionPoint: Sendable, Hashable {
    /// The name of the point; `nil` for the one in the `Info.plist`.
    public let identifier: Identifier?

    /// Creates a point from its identifier.
    public init(identifier: Identifier) { self.identifier = identifier }

    /// Creates a point from its name, such as `com.apple.media-device-extension`.
    ///
    /// - Throws: ``AppExtensionError/invalidIdentifier(_:)`` unless the name consists of two or more words of letters,
    ///   digits and hyphens, separated by dots.
    public init(identifier: String) throws {
        let words = identifier.split(separator: ".", omittingEmptySubsequences: false)
        let areWords = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        }
        guard words.count > 1, areWords else { throw AppExtensionError.invalidIdentifier(identifier) }
        self.identifier = Identifier(identifier)
    }

    private init() { identifier = nil }

    /// A point that the `Info.plist` specifies. Available on Linux only.
    public static let unspecified = AppExtensionPoint()

    /// The name of an extension point.
    public struct Identifier: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The whole name, such as `com.apple.media-device-extension`.
        public let rawValue: String

        /// Creates an identifier from its full name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates an identifier from its full name, such as `com.apple.media-device-extension`.
        public init(_ name: String) { rawValue = name }

        /// Creates the identifier of a host's point: the host's bundle identifier, a dot and the name.
        public init(host: String, name: String) { rawValue = host + "." + name }

        /// The full name.
        public var description: String { rawValue }
    }

    /// A result builder that creates a point from an identifier in a closure or property body.
    @resultBuilder public enum Bind {
        /// Creates a point from an identifier.
        public static func buildBlock(_ identifier: Identifier) -> AppExtensionPoint {
            AppExtensionPoint(identifier: identifier)
        }

        /// Returns a point that was created elsewhere.
        public static func buildBlock(_ point: AppExtensionPoint) -> AppExtensionPoint { point }
    }
}
