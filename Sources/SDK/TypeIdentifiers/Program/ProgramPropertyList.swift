import Foundation

/// The supported keys of an `Info.plist`, with their original spelling.
struct ProgramPropertyList: Decodable {
    var CFBundleIdentifier: String?
    var CFBundleDisplayName: String?
    var CFBundleName: String?
    var CFBundleShortVersionString: String?
    var CFBundleExecutable: String?
    var EXAppExtensionAttributes: ExtensionAttributes?
    var MDESupportedProtocols: [String: String]?
    var MDESupportsUniversalURLPlayback: Bool?
    var UTExportedTypeDeclarations: [DeclaredType]?
    var UTImportedTypeDeclarations: [DeclaredType]?
    var NSBonjourServices: [String]?

    struct ExtensionAttributes: Decodable {
        var EXExtensionPointIdentifier: String?
        var MDRequestedDomains: [String]?
    }

    struct DeclaredType: Decodable {
        var UTTypeIdentifier: String
        var UTTypeDescription: String?
        var UTTypeConformsTo: OneOrMore?
        var UTTypeTagSpecification: [String: OneOrMore]?
        var UTTypeVersion: Int?
        var UTTypeReferenceURL: String?
        var UTTypeIcons: Icons?

        struct Icons: Decodable {
            var UTTypeSymbolName: String?
        }
    }

    /// A string, or an array of strings.
    struct OneOrMore: Decodable {
        var values: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(String.self) {
                values = [one]
            } else {
                values = try container.decode([String].self)
            }
        }
    }
}

extension ProgramInformation {
    init(_ list: ProgramPropertyList, path: String) {
        self.path = path
        bundleIdentifier = list.CFBundleIdentifier
        displayName = list.CFBundleDisplayName ?? list.CFBundleName
        version = list.CFBundleShortVersionString
        executable = list.CFBundleExecutable
        extensionPointIdentifier = list.EXAppExtensionAttributes?.EXExtensionPointIdentifier
        requestedDomains = list.EXAppExtensionAttributes?.MDRequestedDomains ?? []
        supportedProtocols = list.MDESupportedProtocols ?? [:]
        supportsUniversalURLPlayback = list.MDESupportsUniversalURLPlayback ?? false
        exportedTypes = (list.UTExportedTypeDeclarations ?? []).map(TypeDeclaration.init)
        importedTypes = (list.UTImportedTypeDeclarations ?? []).map(TypeDeclaration.init)
        bonjourServices = list.NSBonjourServices ?? []
    }
}

extension TypeDeclaration {
    fileprivate init(_ type: ProgramPropertyList.DeclaredType) {
        self.init(
            identifier: type.UTTypeIdentifier, description: type.UTTypeDescription,
            parents: type.UTTypeConformsTo?.values ?? [],
            tags: (type.UTTypeTagSpecification ?? [:]).mapValues(\.values), version: type.UTTypeVersion,
            referenceURL: type.UTTypeReferenceURL, symbolName: type.UTTypeIcons?.UTTypeSymbolName)
    }
}

extension ProgramInformationError {
    /// Creates an error from a decoder's, with the full path of the key.
    init(decoding error: any Error, path: String) {
        func key(_ keys: [any CodingKey]) -> String {
            keys.reduce(into: "") { text, key in
                if let index = key.intValue {
                    text += "[\(index)]"
                } else {
                    text += text.isEmpty ? key.stringValue : "." + key.stringValue
                }
            }
        }
        let reason: Reason
        switch error as? DecodingError {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            reason =
                context.codingPath.isEmpty
                ? .malformed("it is not a dictionary")
                : .wrongType(key: key(context.codingPath), expected: Self.words(for: type))
        case .keyNotFound(let missing, let context): reason = .missing(key: key(context.codingPath + [missing]))
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            reason = .wrongType(key: key(context.codingPath), expected: "of the right type")
        default: reason = .malformed("it cannot be parsed")
        }
        self.init(path: path, reason: reason)
    }

    private static func words(for type: any Any.Type) -> String {
        if type == String.self { return "a string" }
        if type == Bool.self { return "a Boolean" }
        if type == Int.self { return "a whole number" }
        return "\(type)".contains(":") || "\(type)".hasPrefix("Dictionary") ? "a dictionary" : "an array"
    }
}
