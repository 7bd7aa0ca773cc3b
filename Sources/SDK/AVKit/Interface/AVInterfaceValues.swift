import CoreMedia
import Foundation

/// The earlier name of ``AVPlaybackUserInterfacePlaybackState``.
public typealias AVInterfacePlaybackState = AVPlaybackUserInterfacePlaybackState

/// The earlier name of ``AVPlaybackUserInterfaceSeekCapabilities``.
public typealias AVInterfaceSeekCapabilities = AVPlaybackUserInterfaceSeekCapabilities

/// The earlier name of ``AVPlaybackUserInterfaceContentArtwork``.
public typealias AVInterfaceAlbumArtwork = AVPlaybackUserInterfaceContentArtwork

/// The earlier name of ``AVPlaybackUserInterfaceContentURLArtwork``.
public typealias AVInterfaceURLAlbumArtwork = AVPlaybackUserInterfaceContentURLArtwork

/// The earlier form of ``AVPlaybackUserInterfaceTimelineSegment``, which knows two types only. Equal by value.
public final class AVInterfaceTimelineSegment: NSObject, NSCopying, Sendable {
    /// Where the part is on the timeline.
    public let timeRange: CMTimeRange
    /// Whether it is something beside the content, such as an advertisement.
    public let isAuxiliaryContent: Bool
    /// Whether to highlight it.
    public let isMarked: Bool
    /// Whether the person should not skip through it; advice, not a rule.
    public let requiresLinearPlayback: Bool
    /// The extension's own name for it.
    public let identifier: String?

    /// Describes a part of the timeline.
    public init(
        timeRange: CMTimeRange, isAuxiliaryContent: Bool = false, marked: Bool = false,
        requiresLinearPlayback: Bool = false, identifier: String? = nil
    ) {
        self.timeRange = timeRange
        self.isAuxiliaryContent = isAuxiliaryContent
        isMarked = marked
        self.requiresLinearPlayback = requiresLinearPlayback
        self.identifier = identifier
    }

    /// The object itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another object is a segment with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVInterfaceTimelineSegment else { return false }
        return isAuxiliaryContent == other.isAuxiliaryContent && canonical == other.canonical
    }

    /// Hashes every value.
    public override var hash: Int { canonical.hash }

    /// The later form: auxiliary content becomes `.other`, since nothing says of which kind it is.
    package var canonical: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: timeRange, segmentType: isAuxiliaryContent ? .other : .primary, marked: isMarked,
            requiresLinearPlayback: requiresLinearPlayback, identifier: identifier)
    }
}

/// The earlier form of ``AVPlaybackUserInterfaceMediaSelectionOption``. Equal by value.
public final class AVInterfaceMediaSelectionOptionSource: NSObject, NSCopying, Sendable {
    /// The name for people.
    public let displayName: String
    /// The extension's own name for it, unique in its list.
    public let identifier: String
    /// The language as a BCP 47 tag, such as `en-GB`; `nil` where it has none or nobody knows.
    public let extendedLanguageTag: String?

    /// Describes a choice.
    public init(displayName: String, identifier: String, extendedLanguageTag: String? = nil) {
        self.displayName = displayName
        self.identifier = identifier
        self.extendedLanguageTag = extendedLanguageTag
    }

    /// The object itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another object is a choice with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVInterfaceMediaSelectionOptionSource else { return false }
        return displayName == other.displayName && identifier == other.identifier
            && extendedLanguageTag == other.extendedLanguageTag
    }

    /// Hashes every value.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(displayName)
        hasher.combine(identifier)
        hasher.combine(extendedLanguageTag)
        return hasher.finalize()
    }

    /// The later form.
    package var canonical: AVPlaybackUserInterfaceMediaSelectionOption {
        AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: displayName, identifier: identifier,
            language: extendedLanguageTag.map { Locale.Language(identifier: $0) })
    }
}
