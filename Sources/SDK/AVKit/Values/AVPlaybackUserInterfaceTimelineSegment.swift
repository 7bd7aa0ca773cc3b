import CoreMedia
import Foundation

/// A part of the timeline, such as the film or an advertisement. Equal by value.
public final class AVPlaybackUserInterfaceTimelineSegment: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// Where the part is on the timeline.
    public let timeRange: CMTimeRange
    /// What it holds.
    public let segmentType: AVPlaybackUserInterfaceTimelineSegmentType
    /// Whether to highlight it.
    public let isMarked: Bool
    /// Whether the person should not skip through it; advice, not a rule.
    public let requiresLinearPlayback: Bool
    /// The extension's own name for it.
    public let identifier: String?

    /// Describes a part of the timeline.
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

    /// Reads an archived segment; `nil` if a value is missing or of another type.
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

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// The object itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another object is a segment with the same values.
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
