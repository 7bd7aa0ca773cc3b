public import CoreMedia
public import Foundation

/// A segment of the timeline, such as the film or an advertisement. Compared by value.
public final class AVPlaybackUserInterfaceTimelineSegment: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The range of the segment on the timeline.
    public let timeRange: CMTimeRange
    /// The kind of content.
    public let segmentType: AVPlaybackUserInterfaceTimelineSegmentType
    /// A Boolean value that indicates whether to highlight the segment.
    public let isMarked: Bool
    /// A Boolean value that indicates whether people shouldn't skip the segment. It is a recommendation.
    public let requiresLinearPlayback: Bool
    /// The extension's identifier of the segment.
    public let identifier: String?

    /// Creates a segment.
    public init(
        timeRange: CMTimeRange, segmentType: AVPlaybackUserInterfaceTimelineSegmentType, marked: Bool,
        requiresLinearPlayback: Bool, identifier: String?
    ) {
        self.timeRange = timeRange
        self.segmentType = segmentType
        isMarked = marked
        self.requiresLinearPlayback = requiresLinearPlayback
        self.identifier = identifier
    }

    /// Creates a segment from an archive; `nil` if a value is missing or has another type.
    public init?(coder: NSCoder) {
        guard let timeRange = coder.decodeTimeRange(forKey: "timeRange"),
            let type = AVPlaybackUserInterfaceTimelineSegmentType(rawValue: coder.decodeInteger(forKey: "segmentType"))
        else { return nil }
        self.timeRange = timeRange
        segmentType = type
        isMarked = coder.decodeBool(forKey: "isMarked")
        requiresLinearPlayback = coder.decodeBool(forKey: "requiresLinearPlayback")
        identifier = coder.decodeString(forKey: "identifier")
    }

    /// Archives the segment.
    public func encode(with coder: NSCoder) {
        coder.encode(timeRange, forKey: "timeRange")
        coder.encode(segmentType.rawValue, forKey: "segmentType")
        coder.encode(isMarked, forKey: "isMarked")
        coder.encode(requiresLinearPlayback, forKey: "requiresLinearPlayback")
        coder.encode(identifier as NSString?, forKey: "identifier")
    }

    /// Always `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns the object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns a Boolean value that indicates whether another object is a segment with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVPlaybackUserInterfaceTimelineSegment else { return false }
        return timeRange == other.timeRange && segmentType == other.segmentType && isMarked == other.isMarked
            && requiresLinearPlayback == other.requiresLinearPlayback && identifier == other.identifier
    }

    /// Hashes every value.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(timeRange)
        hasher.combine(segmentType)
        hasher.combine(isMarked)
        hasher.combine(requiresLinearPlayback)
        hasher.combine(identifier)
        return hasher.finalize()
    }
}
