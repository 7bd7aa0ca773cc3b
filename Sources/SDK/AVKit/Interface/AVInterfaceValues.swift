public import CoreMedia
public import Foundation

/// The earlier name of ``AVPlaybackUserInterfacePlaybackState``.
public typealias AVInterfacePlaybackState = AVPlaybackUserInterfacePlaybackState

/// The earlier name of ``AVPlaybackUserInterfaceSeekCapabilities``.
public typealias AVInterfaceSeekCapabilities = AVPlaybackUserInterfaceSeekCapabilities

/// The earlier name of ``AVPlaybackUserInterfaceContentArtwork``.
public typealias AVInterfaceAlbumArtwork = AVPlaybackUserInterfaceContentArtwork

/// The earlier name of ``AVPlaybackUserInterfaceContentURLArtwork``.
public typealias AVInterfaceURLAlbumArtwork = AVPlaybackUserInterfaceContentURLArtwork

/// The earlier form of ``AVPlaybackUserInterfaceTimelineSegment``, with only two types. Compared by value.
public final class AVInterfaceTimelineSegment: NSObject, NSCopying, Sendable {
    /// The range of the segment on the timeline.
    public let timeRange: CMTimeRange
    /// A Boolean value that indicates whether the segment isn't the main content, such as an advertisement.
    public let isAuxiliaryContent: Bool
    /// A Boolean value that indicates whether to highlight the segment.
    public let isMarked: Bool
    /// A Boolean value that indicates whether people shouldn't skip the segment. It is a recommendation.
    public let requiresLinearPlayback: Bool
    /// The extension's identifier of the segment.
    public let identifier: String?

    /// Creates a segment.
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

    /// Returns the object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns a Boolean value that indicates whether another object is a segment with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVInterfaceTimelineSegment else { return false }
        return isAuxiliaryContent == other.isAuxiliaryContent && canonical == other.canonical
    }

    /// Hashes every value.
    public override var hash: Int { canonical.hash }

    /// The later form. Auxiliary content becomes `.other`, because its kind is unknown.
    package var canonical: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: timeRange, segmentType: isAuxiliaryContent ? .other : .primary, marked: isMarked,
            requiresLinearPlayback: requiresLinearPlayback, identifier: identifier)
    }
}

/// The earlier form of ``AVPlaybackUserInterfaceMediaSelectionOption``. Compared by value.
public final class AVInterfaceMediaSelectionOptionSource: NSObject, NSCopying, Sendable {
    /// The name for people.
    public let displayName: String
    /// The extension's identifier of the option, unique in its list.
    public let identifier: String
    /// The language as a BCP 47 tag, such as `en-GB`; `nil` if there is none or it is unknown.
    public let extendedLanguageTag: String?

    /// Creates an option.
    public init(displayName: String, identifier: String, extendedLanguageTag: String? = nil) {
        self.displayName = displayName
        self.identifier = identifier
        self.extendedLanguageTag = extendedLanguageTag
    }

    /// Returns the object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns a Boolean value that indicates whether another object is an option with the same values.
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
