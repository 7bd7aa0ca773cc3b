/// A place in a host where extensions plug in.
public struct AppExtensionPoint: Sendable, Hashable {
    /// The point's name; `nil` where the manifest decides.
    public let identifier: Identifier?

    /// Makes the point of an identifier.
    public init(identifier: Identifier) { self.identifier = identifier }

    /// Makes the point of a name, such as `com.apple.media-device-extension`.
    ///
    /// - Throws: ``AppExtensionError/invalidIdentifier(_:)`` for what isn't words of letters, digits and hyphens between dots.
    public init(identifier: String) throws {
        let words = identifier.split(separator: ".", omittingEmptySubsequences: false)
        let areWords = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        }
        guard words.count > 1, areWords else { throw AppExtensionError.invalidIdentifier(identifier) }
        self.identifier = Identifier(identifier)
    }

    private init() { identifier = nil }

    /// No point named in the source: the manifest decides. Available on Linux only.
    public static let unspecified = AppExtensionPoint()

    /// The name of an extension point.
    public struct Identifier: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The whole name, such as `com.apple.media-device-extension`.
        public let rawValue: String

        /// Takes a whole name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Takes a whole name, such as `com.apple.media-device-extension`.
        public init(_ name: String) { rawValue = name }

        /// The point that a host declares: its bundle identifier, a dot and the point's own name.
        public init(host: String, name: String) { rawValue = host + "." + name }

        /// The whole name.
        public var description: String { rawValue }
    }

    /// Builds a point from the one identifier named in a closure or property body.
    @resultBuilder public enum Bind {
        /// The point of an identifier.
        public static func buildBlock(_ identifier: Identifier) -> AppExtensionPoint {
            AppExtensionPoint(identifier: identifier)
        }

        /// A point made elsewhere, as it is.
        public static func buildBlock(_ point: AppExtensionPoint) -> AppExtensionPoint { point }
    }
}
