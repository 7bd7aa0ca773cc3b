/// The numerator of a ``CMTime``.
public typealias CMTimeValue = Int64

/// The denominator of a ``CMTime``: units a second, positive in a valid time.
public typealias CMTimeScale = Int32

/// Tells equal times of different loops or items apart; a greater epoch happens later.
public typealias CMTimeEpoch = Int64

/// The greatest ``CMTimeScale``.
public let kCMTimeMaxTimescale: CMTimeScale = .max

/// What the fields of a ``CMTime`` mean.
public struct CMTimeFlags: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid; without it every other field is meaningless.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// The value was rounded on the way, so it is inexact.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is later than every number.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is earlier than every number.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time is not known, such as the duration of a live stream.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// Any flag that says the time is no number.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time or a duration as a rational number of seconds: ``value`` ÷ ``timescale``.
///
/// Besides numbers there are four special values: ``invalid``, ``indefinite``, ``positiveInfinity`` and
/// ``negativeInfinity``. Arithmetic never traps: what does not fit is rounded, and at last becomes an infinity. A time
/// flagged as a number whose timescale is not positive is treated as ``invalid`` by every operation.
public struct CMTime: Sendable {
    /// The numerator, in units of one ÷ ``timescale`` seconds.
    public var value: CMTimeValue
    /// Units a second.
    public var timescale: CMTimeScale
    /// What the other fields mean.
    public var flags: CMTimeFlags
    /// Which loop or item the time belongs to; 0 for durations.
    public var epoch: CMTimeEpoch

    /// Makes an invalid time: every field is zero.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// Makes a time from its four fields, unchecked.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Makes a number of `value` ÷ `timescale` seconds; invalid if `timescale` is not positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// Makes the nearest time with a preferred timescale.
    ///
    /// A timescale too fine for the value is halved until the value fits; a value too great even for a timescale of 1
    /// becomes an infinity.
    ///
    /// - Parameters:
    ///   - seconds: Any number; not-a-number makes an invalid time, an infinity an infinite one.
    ///   - preferredTimescale: Units a second, positive; otherwise the time is invalid.
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

    /// 2⁶³: the first magnitude that no `CMTimeValue` holds.
    private static let valueBound = 0x1p63

    /// A time that means nothing; the result of operations without an answer.
    public static let invalid = CMTime()
    /// A time that is not known.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// Later than every number.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// Earlier than every number.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// No time at all: 0 ÷ 1.
    public static let zero = CMTime(value: 0, timescale: 1)
}

extension CMTime {
    /// The time in seconds: not-a-number if it is invalid or indefinite, else possibly infinite.
    public var seconds: Double {
        switch kind {
        case .numeric: Double(value) / Double(timescale)
        case .positiveInfinity: .infinity
        case .negativeInfinity: -.infinity
        case .invalid, .indefinite: .nan
        }
    }

    /// Whether the time is valid, as a number or as an infinite or indefinite time.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is valid and later than every number.
    public var isPositiveInfinity: Bool { flags.contains([.valid, .positiveInfinity]) }
    /// Whether the time is valid and earlier than every number.
    public var isNegativeInfinity: Bool { flags.contains([.valid, .negativeInfinity]) }
    /// Whether the time is valid and not known.
    public var isIndefinite: Bool { flags.contains([.valid, .indefinite]) }
    /// Whether the time is valid and a number.
    public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }
    /// Whether the time is a number that was rounded on the way.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
}

extension CMTime {
    /// The five kinds of time, in ascending order.
    enum Kind: Int { case negativeInfinity, numeric, indefinite, positiveInfinity, invalid }

    /// The kind every operation goes by: contradictory flags are read in a fixed order, a bad timescale is invalid.
    var kind: Kind {
        if !isValid { return .invalid }
        if isPositiveInfinity { return .positiveInfinity }
        if isNegativeInfinity { return .negativeInfinity }
        if isIndefinite { return .indefinite }
        return timescale > 0 ? .numeric : .invalid
    }

    /// An exact result that may not fit: the timescale is lowered until it does, else the result is infinite.
    ///
    /// - Parameters:
    ///   - numerator: In units of one ÷ `denominator` seconds.
    ///   - denominator: Positive.
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
