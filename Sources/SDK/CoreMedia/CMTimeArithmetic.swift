extension CMTime {
    /// Returns the sum of two times.
    ///
    /// The timescale is the least common multiple of both if it fits; otherwise the result is flagged as rounded. The
    /// sum of opposite infinities, or of numbers of different nonzero epochs, is invalid. An epoch of 0 means a
    /// duration, which can be added to a time of any epoch; the sum of two times of one epoch is a duration.
    public static func + (addend1: CMTime, addend2: CMTime) -> CMTime {
        switch (addend1.kind, addend2.kind) {
        case (.invalid, _), (_, .invalid), (.positiveInfinity, .negativeInfinity),
            (.negativeInfinity, .positiveInfinity):
            .invalid
        case (.positiveInfinity, _), (_, .positiveInfinity): .positiveInfinity
        case (.negativeInfinity, _), (_, .negativeInfinity): .negativeInfinity
        case (.indefinite, _), (_, .indefinite): .indefinite
        case (.numeric, .numeric): sum(addend1, addend2, sign: 1)
        }
    }

    /// Returns the difference of two times, by the rules of `+`. The difference of equal infinities is invalid.
    public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime {
        switch (minuend.kind, subtrahend.kind) {
        case (.invalid, _), (_, .invalid), (.positiveInfinity, .positiveInfinity),
            (.negativeInfinity, .negativeInfinity):
            .invalid
        case (.positiveInfinity, _), (_, .negativeInfinity): .positiveInfinity
        case (.negativeInfinity, _), (_, .positiveInfinity): .negativeInfinity
        case (.indefinite, _), (_, .indefinite): .indefinite
        case (.numeric, .numeric): sum(minuend, subtrahend, sign: -1)
        }
    }

    private static func sum(_ first: CMTime, _ second: CMTime, sign: Int128) -> CMTime {
        let epoch: CMTimeEpoch
        switch (first.epoch, second.epoch) {
        case (let one, let other) where one == other: epoch = 0
        case (let one, 0): epoch = one
        case (0, let other): epoch = other
        default: return .invalid
        }
        let (firstScale, secondScale) = (Int128(first.timescale), Int128(second.timescale))
        let divisor = Int128(greatestCommonDivisor(UInt64(first.timescale), UInt64(second.timescale)))
        let common = firstScale / divisor * secondScale
        let numerator =
            Int128(first.value) * (common / firstScale) + sign * Int128(second.value) * (common / secondScale)
        let rounded = first.hasBeenRounded || second.hasBeenRounded
        return fitting(numerator, over: common, epoch: epoch, rounded: rounded)
    }

    /// Returns the time × `multiplier` ÷ `divisor`. 0 times an infinity, and a divisor of 0, give an invalid time.
    func scaled(by multiplier: Int128, over divisor: Int128) -> CMTime {
        guard divisor != 0 else { return .invalid }
        let negative = (multiplier < 0) != (divisor < 0)
        switch kind {
        case .invalid: return .invalid
        case .indefinite: return .indefinite
        case .positiveInfinity, .negativeInfinity:
            guard multiplier != 0 else { return .invalid }
            return (kind == .negativeInfinity) == negative ? .positiveInfinity : .negativeInfinity
        case .numeric:
            let magnitude = Int128(value) * Int128(multiplier.magnitude) * (negative ? -1 : 1)
            let denominator = Int128(timescale) * Int128(divisor.magnitude)
            let shared = Int128(
                greatestCommonDivisor(UInt128(magnitude.magnitude), UInt128(divisor.magnitude)))
            return CMTime.fitting(
                magnitude / shared, over: denominator / shared, epoch: epoch, rounded: hasBeenRounded)
        }
    }

    /// Returns the time × a floating-point factor. Not-a-number gives an invalid time.
    func scaled(by factor: Double) -> CMTime {
        switch kind {
        case .invalid: return .invalid
        case .indefinite: return factor.isNaN ? .invalid : .indefinite
        case .positiveInfinity, .negativeInfinity:
            guard factor != 0, !factor.isNaN else { return .invalid }
            return (kind == .negativeInfinity) == (factor < 0) ? .positiveInfinity : .negativeInfinity
        case .numeric:
            // A factor that is a whole number keeps the result exact where it can be.
            if let whole = Int64(exactly: factor) { return scaled(by: Int128(whole), over: 1) }
            var product = CMTime(seconds: seconds * factor, preferredTimescale: timescale)
            product.epoch = product.isNumeric ? epoch : 0
            if product.isNumeric { product.flags.insert(.hasBeenRounded) }
            return product
        }
    }
}

/// Returns the greatest common divisor of two numbers; if one is zero the other number, if both are zero 1.
func greatestCommonDivisor<Number: BinaryInteger>(_ first: Number, _ second: Number) -> Number {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger == 0 ? 1 : larger
}
