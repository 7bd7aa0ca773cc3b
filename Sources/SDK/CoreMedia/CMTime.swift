/// The numerator of a ``CMTime``.
public typealias CMTimeValue = Int64

/// The denominator of a ``CMTime`` in units per second, positive in a valid time.
public typealias CMTimeScale = Int32

/// A number that distinguishes equal times of different loops or items. A greater epoch is later.
public typealias CMTimeEpoch = Int64

/// The greatest ``CMTimeScale``.
public let kCMTimeMaxTimescale: CMTimeScale = .max

/// The flags that determine the meaning of a ``CMTime``.
public struct CMTimeFlags: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid; without it every other field is meaningless.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// The value was rounded, so it isn't exact.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is later than every number.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is earlier than every number.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time is unknown, such as the duration of a live stream.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// All flags that mean that the time isn't a number.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time or a duration as a rational number of seconds: ``value`` ÷ ``timescale``.
///
/// There are four special values: ``invalid``, ``indefinite``, ``positiveInfinity`` and ``negativeInfinity``.
/// Arithmetic never traps: a result that doesn't fit is rounded, or becomes an infinity. All operations treat a number
/// whose timescale isn't positive as ``invalid``.
public struct CMTime: Sendable {
    /// The numerator, in units of one ÷ ``timescale`` seconds.
    public var value: CMTimeValue
    /// The units per second.
    public var timescale: CMTimeScale
    /// The flags that determine the meaning of the other fields.
    public var flags: CMTimeFlags
    /// The loop or item of the time; 0 for durations.
    public var epoch: CMTimeEpoch

    /// Creates an invalid time, whose fields are all zero.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// Creates a time from its four fields without checks.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Creates a time of `value` ÷ `timescale` seconds; invalid if `timescale` isn't positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// Creates the nearest time with a preferred timescale.
    ///
    /// If the timescale is too fine for the value, it is halved until the value fits. A value that doesn't fit even
    /// with a timescale of 1 becomes an infinity.
    ///
    /// - Parameters:
    ///   - seconds: The seconds. Not-a-number gives an invalid time, an infinity an infinite one.
    ///   - preferredTimescale: The units per second, positive; otherwise the time is invalid.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        guard preferredTimescale > 0, !seconds.isNaN else {
            self = .invalid
            return
        }
        var scale = preferredTimescale
        while scale > 1, abs(seconds) * Double(scale) >= Self.valueBound { scale /= 2 }
        let scaled = seconds * Double(scale)
        guard abs(scaled) < Self.valueBound else {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
            return
        }
        let rounded = scaled.rounded(.toNearestOrAwayFromZero)
        self.init(value: CMTimeValue(rounded), timescale: scale)
        if rounded / Double(scale) != seconds { flags.insert(.hasBeenRounded) }
    }

    /// The smallest magnitude that doesn't fit in a `CMTimeValue`, 2⁶³.
    private static let valueBound = 0x1p63

    /// An invalid time, the result of operations without an answer.
    public static let invalid = CMTime()
    /// An unknown time.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// A time later than every number.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// A time earlier than every number.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// A time of zero, 0 ÷ 1.
    public static let zero = CMTime(value: 0, timescale: 1)
}

extension CMTime {
    /// The time in seconds: not-a-number for an invalid or indefinite time, otherwise possibly infinite.
    public var seconds: Double {
        switch kind {
        case .numeric: Double(value) / Double(timescale)
        case .positiveInfinity: .infinity
        case .negativeInfinity: -.infinity
        case .invalid, .indefinite: .nan
        }
    }

    /// A Boolean value that indicates whether the time is valid: a number, infinite or indefinite.
    public var isValid: Bool { flags.contains(.valid) }
    /// A Boolean value that indicates whether the time is valid and later than every number.
    public var isPositiveInfinity: Bool { flags.contains([.valid, .positiveInfinity]) }
    /// A Boolean value that indicates whether the time is valid and earlier than every number.
    public var isNegativeInfinity: Bool { flags.contains([.valid, .negativeInfinity]) }
    /// A Boolean value that indicates whether the time is valid and unknown.
    public var isIndefinite: Bool { flags.contains([.valid, .indefinite]) }
    /// A Boolean value that indicates whether the time is valid and a number.
    public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }
    /// A Boolean value that indicates whether the time is a number that was rounded.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
}

extension CMTime {
    /// The five kinds of time, in ascending order.
    enum Kind: Int { case negativeInfinity, numeric, indefinite, positiveInfinity, invalid }

    /// The kind that every operation uses. Contradictory flags have a fixed precedence; a timescale that isn't positive
    /// is invalid.
    var kind: Kind {
        if !isValid { return .invalid }
        if isPositiveInfinity { return .positiveInfinity }
        if isNegativeInfinity { return .negativeInfinity }
        if isIndefinite { return .indefinite }
        return timescale > 0 ? .numeric : .invalid
    }

    /// Returns an exact result, or the nearest one: the timescale is lowered until the value fits, otherwise the result
    /// is infinite.
    ///
    /// - Parameters:
    ///   - numerator: The value in units of one ÷ `denominator` seconds.
    ///   - denominator: The units per second, positive.
    static func fitting(
        _ numerator: Int128, over denominator: Int128, epoch: CMTimeEpoch, rounded: Bool
    ) -> CMTime {
        var scale = min(denominator, Int128(kCMTimeMaxTimescale))
        while true {
            let (value, exact) = CMTimeRoundingMethod.default.rescale(numerator, from: denominator, to: scale)
            if let value, let fits = CMTimeValue(exactly: value) {
                let flags: CMTimeFlags = rounded || !exact ? [.valid, .hasBeenRounded] : .valid
                return CMTime(value: fits, timescale: CMTimeScale(scale), flags: flags, epoch: epoch)
            }
            guard scale > 1 else { return numerator > 0 ? .positiveInfinity : .negativeInfinity }
            scale /= 2
        }
    }
}
