/// A range of time with a start and a duration. It includes the start, but not the end.
///
/// A range is valid if both parts are valid, and the duration isn't negative and has epoch 0.
public struct CMTimeRange: Sendable, Hashable {
    /// The first time of the range.
    public var start: CMTime
    /// The duration of the range.
    public var duration: CMTime

    /// Creates an invalid range.
    public init() { self = .invalid }

    /// Creates a range from its start and duration.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// Creates a range between two times; invalid if `end` is before `start`.
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
        if !isValid { self = .invalid }
    }

    /// An invalid range.
    public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)
    /// An empty range at zero.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)

    /// The time after the range: ``start`` + ``duration``.
    public var end: CMTime { start + duration }

    /// A Boolean value that indicates whether both parts are valid, and the duration isn't negative.
    public var isValid: Bool {
        start.kind != .invalid && duration.kind != .invalid && duration.epoch == 0 && duration >= .zero
    }

    /// A Boolean value that indicates whether the range is valid and its start or duration is unknown.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// A Boolean value that indicates whether the range is valid and its duration is zero.
    public var isEmpty: Bool { isValid && duration == .zero }
}

extension CMTimeRange {
    /// Returns a Boolean value that indicates whether the range contains a time. An empty or invalid range contains
    /// none.
    public func containsTime(_ time: CMTime) -> Bool {
        isValid && time.kind != .invalid && start <= time && time < end
    }

    /// Returns a Boolean value that indicates whether the range contains another range. It contains an empty one whose
    /// start it contains, or that starts at its end.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        isValid && range.isValid && start <= range.start && range.end <= end
    }

    /// Returns the intersection of two ranges: empty if they only touch, ``zero`` if they are apart, invalid if one of
    /// them is.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        let first = CMTimeMaximum(start, otherRange.start)
        let last = CMTimeMinimum(end, otherRange.end)
        return first <= last ? CMTimeRange(start: first, end: last) : .zero
    }

    /// Returns the smallest range that contains both. An empty range is ignored; an invalid one gives an invalid range.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        if isEmpty { return otherRange }
        if otherRange.isEmpty { return self }
        return CMTimeRange(start: CMTimeMinimum(start, otherRange.start), end: CMTimeMaximum(end, otherRange.end))
    }
}

/// Creates a range from its start and duration; invalid if the duration is negative or a part is invalid.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    let range = CMTimeRange(start: start, duration: duration)
    return range.isValid ? range : .invalid
}

/// Creates a range between two times; invalid if `end` is before `start`.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// Returns the time after a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// Returns the smallest range that contains both; see ``CMTimeRange/union(_:)``.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.union(otherRange)
}

/// Returns the intersection of two ranges; see ``CMTimeRange/intersection(_:)``.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.intersection(otherRange)
}

/// Returns a Boolean value that indicates whether two ranges have the same start and duration.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Returns a Boolean value that indicates whether a range contains a time. It doesn't contain its end.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

/// Returns a Boolean value that indicates whether a range contains another.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.containsTimeRange(otherRange)
}

/// Returns the time in a range nearest to a time: the time itself, the start or the end; invalid for an invalid or
/// empty range.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard range.isValid, !range.isEmpty, time.kind != .invalid else { return .invalid }
    return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}
