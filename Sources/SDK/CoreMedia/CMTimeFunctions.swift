/// Creates a time of `value` ÷ `timescale` seconds; invalid if `timescale` isn't positive.
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Creates a time of `value` ÷ `timescale` seconds in an epoch; invalid if `timescale` isn't positive.
public func CMTimeMakeWithEpoch(value: CMTimeValue, timescale: CMTimeScale, epoch: CMTimeEpoch) -> CMTime {
    var time = CMTime(value: value, timescale: timescale)
    if time.isValid { time.epoch = epoch }
    return time
}

/// Creates the nearest time with a preferred timescale; see ``CMTime/init(seconds:preferredTimescale:)``.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns the time in seconds: not-a-number for an invalid or indefinite time, otherwise possibly infinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Returns the time with another timescale; see ``CMTime/convertScale(_:method:)``.
public func CMTimeConvertScale(_ time: CMTime, timescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(timescale, method: method)
}

/// Returns the sum of two times, by the rules of `CMTime.+`.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// Returns the difference of two times, by the rules of `CMTime.-`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// Returns a time × a whole number. 0 times an infinity is invalid.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime { time.scaled(by: Int128(multiplier), over: 1) }

/// Returns a time × a factor, with the time's own timescale if it fits. The result is flagged as rounded unless the
/// factor is a whole number.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime { time.scaled(by: multiplier) }

/// Returns a time × `multiplier` ÷ `divisor`, exact if it fits. A divisor of 0 gives an invalid time.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    time.scaled(by: Int128(multiplier), over: Int128(divisor))
}

/// Returns the earlier of two times; the first if they are equal.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 < time1 ? time2 : time1 }

/// Returns the later of two times; the first if they are equal.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 > time1 ? time2 : time1 }

/// Returns the time without its sign. Negative infinity becomes positive infinity.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    switch time.kind {
    case .negativeInfinity: .positiveInfinity
    case .numeric where time.value < 0: time.scaled(by: -1, over: 1)
    default: time
    }
}
