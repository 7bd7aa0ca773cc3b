/// A method of rounding a value that doesn't fit a new timescale.
public enum CMTimeRoundingMethod: UInt32, Sendable, Hashable {
    /// Rounds to the nearest value; a half is rounded away from zero.
    case roundHalfAwayFromZero = 1
    /// Rounds towards zero.
    case roundTowardZero = 2
    /// Rounds away from zero.
    case roundAwayFromZero = 3
    /// Rounds towards zero for a coarser timescale, and away from zero for a finer one. A negative value never becomes
    /// zero.
    case quickTime = 4
    /// Rounds up.
    case roundTowardPositiveInfinity = 5
    /// Rounds down.
    case roundTowardNegativeInfinity = 6

    /// The default method, ``roundHalfAwayFromZero``.
    public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}

extension CMTime {
    /// Returns the time with another timescale.
    ///
    /// Infinite, indefinite and invalid times are unchanged. A number that overflows becomes an infinity.
    ///
    /// - Parameters:
    ///   - newTimescale: The units per second, positive; otherwise the result is invalid.
    ///   - method: The rounding method for a value that isn't a multiple of the new unit. The result is then flagged as
    ///     rounded.
    public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
        guard kind == .numeric else { return self }
        guard newTimescale > 0 else { return .invalid }
        let (value, exact) = method.rescale(Int128(value), from: Int128(timescale), to: Int128(newTimescale))
        guard let value, let fits = CMTimeValue(exactly: value) else {
            return self.value > 0 ? .positiveInfinity : .negativeInfinity
        }
        return CMTime(
            value: fits, timescale: newTimescale, flags: exact ? flags : flags.union(.hasBeenRounded), epoch: epoch)
    }
}

extension CMTimeRoundingMethod {
    /// Returns `numerator` × `new` ÷ `old`, rounded; no value if the product exceeds 128 bits.
    func rescale(_ numerator: Int128, from old: Int128, to new: Int128) -> (value: Int128?, exact: Bool) {
        let (product, overflow) = numerator.multipliedReportingOverflow(by: new)
        guard !overflow else { return (nil, false) }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: old)
        guard remainder != 0 else { return (quotient, true) }
        let away = quotient + (product < 0 ? -1 : 1)
        switch self {
        case .roundHalfAwayFromZero:
            return (remainder.magnitude >= old.magnitude - remainder.magnitude ? away : quotient, false)
        case .roundTowardZero: return (quotient, false)
        case .roundAwayFromZero: return (away, false)
        case .quickTime:
            if new > old || (quotient == 0 && product < 0) { return (away, false) }
            return (quotient, false)
        case .roundTowardPositiveInfinity: return (product > 0 ? away : quotient, false)
        case .roundTowardNegativeInfinity: return (product < 0 ? away : quotient, false)
        }
    }
}
