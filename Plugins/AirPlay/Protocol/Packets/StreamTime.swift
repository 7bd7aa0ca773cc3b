/// A time of the clock for streams: monotonic, in nanoseconds, with an arbitrary origin.
///
/// Receivers never get the time of day, only this clock in NTP format.
package struct StreamTime: Sendable, Hashable, Comparable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (time: Self, seconds: Double) -> Self {
        Self(nanoseconds: time.nanoseconds + Int64((seconds * 1e9).rounded()))
    }

    /// Seconds from the second to the first.
    package static func - (left: Self, right: Self) -> Double { Double(left.nanoseconds - right.nanoseconds) / 1e9 }

    /// Seconds in the upper 32 bits, the fraction in the lower ones.
    package var ntp: UInt64 {
        let seconds = UInt64(bitPattern: nanoseconds / 1_000_000_000) & 0xFFFF_FFFF
        let rest = UInt64(nanoseconds % 1_000_000_000)
        return seconds << 32 | rest << 32 / 1_000_000_000
    }
}
