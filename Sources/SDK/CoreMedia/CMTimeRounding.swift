/// How a value that does not fit its new timescale is rounded.
public enum CMTimeRoundingMethod: UInt32, Sendable, Hashable {
    /// To the nearest; a half goes away from zero.
    case roundHalfAwayFromZero = 1
    /// Towards zero.
    case roundTowardZero = 2
    /// Away from zero.
    case roundAwayFromZero = 3
    /// Towards zero to a coarser timescale, away from zero to a finer one; a negative value never becomes zero.
    case quickTime = 4
    /// Up.
    case roundTowardPositiveInfinity = 5
    /// Down.
    case roundTowardNegativeInfinity = 6

    /// The method used where none is named: ``roundHalfAwayFromZero``.
    public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}

extension CMTime {
    /// The same time with another timescale.
    ///
    /// Infinite, indefinite and invalid times come back unchanged. A number that overflows becomes an infinity.
    ///
    /// - Parameters:
    ///   - newTimescale: Units a second, positive; otherwise the result is invalid.
    ///   - method: Used when the value is no multiple of the new unit; the result is then flagged as rounded.
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
    /// `numerator` × `new` ÷ `old`, rounded; no value if even 128 bits do not hold the product.
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
