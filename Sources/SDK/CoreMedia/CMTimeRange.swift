/// A span of time: a start and a duration. The start belongs to it, the end does not.
///
/// A range is valid if both parts are, and its duration is not negative and of epoch 0.
public struct CMTimeRange: Sendable, Hashable {
    /// The first moment of the range.
    public var start: CMTime
    /// How long it lasts.
    public var duration: CMTime

    /// Makes an invalid range.
    public init() { self = .invalid }

    /// Makes a range from its start and duration.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// Makes a range between two moments; invalid if `end` is before `start`.
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
        if !isValid { self = .invalid }
    }

    /// A range that means nothing.
    public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)
    /// An empty range at zero.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)

    /// The moment after the last one: ``start`` + ``duration``.
    public var end: CMTime { start + duration }

    /// Whether both parts are valid and the duration is not negative.
    public var isValid: Bool {
        start.kind != .invalid && duration.kind != .invalid && duration.epoch == 0 && duration >= .zero
    }

    /// Whether the range is valid and its start or duration is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// Whether the range is valid and lasts no time.
    public var isEmpty: Bool { isValid && duration == .zero }
}

extension CMTimeRange {
    /// Whether a moment is inside; the end is not, so an empty or invalid range contains nothing.
    public func containsTime(_ time: CMTime) -> Bool {
        isValid && time.kind != .invalid && start <= time && time < end
    }

    /// Whether a whole range is inside; an empty one is if its start is inside or at the end of this one.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        isValid && range.isValid && start <= range.start && range.end <= end
    }

    /// What two ranges have in common: empty where they only touch, ``zero`` where they are apart, invalid where one is.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        let first = CMTimeMaximum(start, otherRange.start)
        let last = CMTimeMinimum(end, otherRange.end)
        return first <= last ? CMTimeRange(start: first, end: last) : .zero
    }

    /// The smallest range that holds both; an empty range adds nothing, an invalid one makes it invalid.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid, otherRange.isValid else { return .invalid }
        if isEmpty { return otherRange }
        if otherRange.isEmpty { return self }
        return CMTimeRange(start: CMTimeMinimum(start, otherRange.start), end: CMTimeMaximum(end, otherRange.end))
    }
}

/// Makes a range from its start and duration; invalid if the duration is negative or either part is invalid.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    let range = CMTimeRange(start: start, duration: duration)
    return range.isValid ? range : .invalid
}

/// Makes a range between two moments; invalid if `end` is before `start`.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// The moment after the last one of a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// The smallest range that holds both; see ``CMTimeRange/union(_:)``.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.union(otherRange)
}

/// What two ranges have in common; see ``CMTimeRange/intersection(_:)``.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.intersection(otherRange)
}

/// Whether both ranges have the same start and duration.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Whether a moment is inside a range; its end is not.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

/// Whether a whole range is inside another.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.containsTimeRange(otherRange)
}

/// The moment of a range nearest to a time: the time itself inside, else the start or the end; invalid for an invalid
/// or empty range.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard range.isValid, !range.isEmpty, time.kind != .invalid else { return .invalid }
    return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}
