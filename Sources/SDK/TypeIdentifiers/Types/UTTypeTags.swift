/// A way to name a type outside the system of identifiers.
public struct UTTagClass: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the class.
    public let rawValue: String

    /// Takes the name of a class.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions, without the dot.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// MIME types, such as `video/mp4`.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")

    /// The name of the class.
    public var description: String { rawValue }
}

extension UTType {
    /// The filename extension to use for the type, without a dot; `nil` where it has none.
    public var preferredFilenameExtension: String? { declaration.tags[UTTagClass.filenameExtension.rawValue]?.first }

    /// The MIME type to use for the type; `nil` where it has none.
    public var preferredMIMEType: String? { declaration.tags[UTTagClass.mimeType.rawValue]?.first }

    /// All names of the type in other systems, the preferred one first.
    public var tags: [UTTagClass: [String]] {
        Dictionary(uniqueKeysWithValues: declaration.tags.map { (UTTagClass(rawValue: $0), $1) })
    }

    /// The type of files with an extension.
    ///
    /// Where no known type fits, the type is dynamic: it is equal to itself everywhere and conforms to `supertype`.
    ///
    /// - Parameters:
    ///   - filenameExtension: In any case, without the dot. Empty, or with a dot or slash inside, gives `nil`.
    ///   - supertype: What the type must conform to.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        guard !filenameExtension.contains(where: { $0 == "/" || $0 == "." }) else { return nil }
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type of data with a MIME type; parameters such as `; charset=utf-8` are ignored.
    ///
    /// Where no known type fits, the type is dynamic: it is equal to itself everywhere and conforms to `supertype`.
    ///
    /// - Parameters:
    ///   - mimeType: In any case, with one slash between two parts; anything else gives `nil`.
    ///   - supertype: What the type must conform to.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        let bare = mimeType.prefix { $0 != ";" }.filter { !$0.isWhitespace }
        let parts = bare.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(tag: bare, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The type a tag stands for; dynamic where no known type has it, `nil` only for an empty tag.
    ///
    /// - Parameters:
    ///   - tag: Compared without regard to case.
    ///   - tagClass: What the tag is.
    ///   - supertype: What the type must conform to; `nil` for anything.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard !tag.isEmpty else { return nil }
        if let known = UTType.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first {
            self = known
        } else {
            let dynamic = DynamicIdentifier(
                tagClass: tagClass.rawValue, tag: tag.lowercased(), parent: supertype?.identifier)
            self.init(dynamic.declaration)
        }
    }

    /// Every declared type a tag stands for, the usual one first; empty where there is none.
    ///
    /// - Parameters:
    ///   - tag: Compared without regard to case.
    ///   - tagClass: What the tag is.
    ///   - supertype: What the types must conform to; `nil` for anything.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        TypeRegistry.current.declarations(tag: tag, tagClass: tagClass.rawValue).map(UTType.init)
            .filter { type in supertype.map(type.conforms(to:)) ?? true }
    }
}
