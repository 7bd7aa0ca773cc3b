/// A class of tags that identify types in other systems.
public struct UTTagClass: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the class.
    public let rawValue: String

    /// Creates a class from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions, without the dot.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// MIME types, such as `video/mp4`.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")

    /// The name of the class.
    public var description: String { rawValue }
}

extension UTType {
    /// The preferred filename extension, without a dot; `nil` if there is none.
    public var preferredFilenameExtension: String? { declaration.tags[UTTagClass.filenameExtension.rawValue]?.first }

    /// The preferred MIME type; `nil` if there is none.
    public var preferredMIMEType: String? { declaration.tags[UTTagClass.mimeType.rawValue]?.first }

    /// All tags of the type by class, the preferred one first.
    public var tags: [UTTagClass: [String]] {
        Dictionary(uniqueKeysWithValues: declaration.tags.map { (UTTagClass(rawValue: $0), $1) })
    }

    /// Creates the type of files with a filename extension.
    ///
    /// If no known type matches, the type is dynamic: it equals itself everywhere and conforms to `supertype`.
    ///
    /// - Parameters:
    ///   - filenameExtension: The extension without the dot, ignoring case. `nil` is the result if it is empty or
    ///     contains a dot or slash.
    ///   - supertype: The type to which the result conforms.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        guard !filenameExtension.contains(where: { $0 == "/" || $0 == "." }) else { return nil }
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// Creates the type of data with a MIME type. Parameters such as `; charset=utf-8` are ignored.
    ///
    /// If no known type matches, the type is dynamic: it equals itself everywhere and conforms to `supertype`.
    ///
    /// - Parameters:
    ///   - mimeType: The MIME type, ignoring case. `nil` is the result unless it has two parts separated by a slash.
    ///   - supertype: The type to which the result conforms.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        let bare = mimeType.prefix { $0 != ";" }.filter { !$0.isWhitespace }
        let parts = bare.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(tag: bare, tagClass: .mimeType, conformingTo: supertype)
    }

    /// Creates the type with a tag. It is dynamic if no known type matches, and `nil` only for an empty tag.
    ///
    /// - Parameters:
    ///   - tag: The tag, ignoring case.
    ///   - tagClass: The class of the tag.
    ///   - supertype: The type to which the result conforms; `nil` for any.
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

    /// Returns all declared types with a tag, the preferred one first; empty if there are none.
    ///
    /// - Parameters:
    ///   - tag: The tag, ignoring case.
    ///   - tagClass: The class of the tag.
    ///   - supertype: The type to which the results conform; `nil` for any.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        TypeRegistry.current.declarations(tag: tag, tagClass: tagClass.rawValue).map(UTType.init)
            .filter { type in supertype.map(type.conforms(to:)) ?? true }
    }
}
