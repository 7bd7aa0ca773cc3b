public import Foundation

/// An audio or subtitle option. Compared by value.
public final class AVPlaybackUserInterfaceMediaSelectionOption: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The name for people.
    public let displayName: String
    /// The extension's identifier of the option, unique in its list.
    public let identifier: String
    /// The language; `nil` if there is none or it is unknown.
    public let language: Locale.Language?
    /// The characteristics of the option, such as a description of the picture.
    public let mediaCharacteristics: [AVMediaCharacteristic]

    /// Creates an option.
    public init(
        displayName: String, identifier: String, language: Locale.Language? = nil,
        mediaCharacteristics: [AVMediaCharacteristic] = []
    ) {
        self.displayName = displayName
        self.identifier = identifier
        self.language = language
        self.mediaCharacteristics = mediaCharacteristics
    }

    /// The language as the shortest equivalent BCP 47 tag, such as `en-GB`, without implied parts.
    package var extendedLanguageTag: String? {
        language.map(\.minimalIdentifier).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates an option from an archive; `nil` if its names are missing.
    public init?(coder: NSCoder) {
        guard let displayName = coder.decodeString(forKey: "displayName"),
            let identifier = coder.decodeString(forKey: "identifier")
        else { return nil }
        self.displayName = displayName
        self.identifier = identifier
        language = coder.decodeString(forKey: "extendedLanguageTag").map { Locale.Language(identifier: $0) }
        mediaCharacteristics = coder.decodeStrings(forKey: "mediaCharacteristics").map {
            AVMediaCharacteristic(rawValue: $0)
        }
    }

    /// Archives the option.
    public func encode(with coder: NSCoder) {
        coder.encode(displayName as NSString, forKey: "displayName")
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(extendedLanguageTag as NSString?, forKey: "extendedLanguageTag")
        coder.encode(
            mediaCharacteristics.map { $0.rawValue as NSString } as NSArray, forKey: "mediaCharacteristics")
    }

    /// Always `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns the object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns a Boolean value that indicates whether another object is an option with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVPlaybackUserInterfaceMediaSelectionOption else { return false }
        return displayName == other.displayName && identifier == other.identifier
            && extendedLanguageTag == other.extendedLanguageTag && mediaCharacteristics == other.mediaCharacteristics
    }

    /// Hashes the names and the language.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(displayName)
        hasher.combine(identifier)
        hasher.combine(extendedLanguageTag)
        return hasher.finalize()
    }
}
