/// The order of times: negative infinity, numbers, indefinite, positive infinity, invalid.
///
/// Numbers are compared by epoch, and then exactly by value, so 1/2 equals 2/4. Two times of the same special kind are
/// equal. The flag for rounding is ignored.
extension CMTime: Comparable, Hashable {
    /// Returns a Boolean value that indicates whether two times are equal.
    public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

    /// Returns a Boolean value that indicates whether the first time is earlier.
    public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }

    /// Hashes the values that `==` compares: the reduced fraction and the epoch, or the special kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        guard kind == .numeric else { return }
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        // The quotient of a magnitude of 2⁶³ fits only as a magnitude, so the sign is hashed apart.
        hasher.combine(value < 0)
        hasher.combine(value.magnitude / divisor)
        hasher.combine(UInt64(timescale) / divisor)
        hasher.combine(epoch)
    }
}

/// Compares two times: -1 if the first is earlier, 0 if they are equal, 1 if it is later.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int32 {
        first < second ? -1 : first == second ? 0 : 1
    }
    guard time1.kind == .numeric, time2.kind == .numeric else {
        return order(time1.kind.rawValue, time2.kind.rawValue)
    }
    guard time1.epoch == time2.epoch else { return order(time1.epoch, time2.epoch) }
    return order(
        Int128(time1.value) * Int128(time2.timescale), Int128(time2.value) * Int128(time1.timescale))
}
