/// A non-negative number of any size, with the arithmetic needed to prove a password.
///
/// Powers are those of ``ModularPowers``. The time of a division here reveals something of its numbers, which are
/// always sent in the open or used only once.
struct LargeNumber: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// 32 bits each, the lowest first; the last one is not 0.
    let digits: [UInt64]

    private init(trimming digits: [UInt64]) {
        let count = digits.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        self.digits = count == digits.count ? digits : Array(digits.prefix(count))
    }

    /// - Parameter digits: 32 bits each, the lowest first.
    init(digits: some Sequence<UInt64>) { self.init(trimming: Array(digits)) }

    init(_ value: UInt64) { self.init(trimming: [value & 0xFFFF_FFFF, value >> 32]) }

    init(integerLiteral value: UInt64) { self.init(value) }

    /// - Parameter bytes: The highest first.
    init(bytes: some Collection<UInt8>) {
        var digits = [UInt64](repeating: 0, count: (bytes.count + 3) / 4)
        for (index, byte) in bytes.reversed().enumerated() { digits[index / 4] |= UInt64(byte) << (8 * (index % 4)) }
        self.init(trimming: digits)
    }

    /// - Parameter hexadecimal: Digits, with spaces between them; `nil` for any other text.
    init?(hexadecimal: String) {
        var bytes: [UInt8] = []
        let text = hexadecimal.filter { !$0.isWhitespace }
        for (index, character) in text.reversed().enumerated() {
            guard let value = character.hexDigitValue else { return nil }
            if index % 2 == 0 { bytes.append(UInt8(value)) } else { bytes[index / 2] |= UInt8(value) << 4 }
        }
        self.init(bytes: bytes.reversed())
    }

    /// The highest first, without leading zeros; none for 0.
    var bytes: [UInt8] {
        let all = digits.reversed().flatMap { digit in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: digit >> $0) } }
        return Array(all.drop { $0 == 0 })
    }

    var bitWidth: Int {
        guard let top = digits.last else { return 0 }
        return digits.count * 32 - (top.leadingZeroBitCount - 32)
    }

    static func < (left: Self, right: Self) -> Bool {
        guard left.digits.count == right.digits.count else { return left.digits.count < right.digits.count }
        for (one, other) in zip(left.digits.reversed(), right.digits.reversed()) where one != other {
            return one < other
        }
        return false
    }

    static func + (left: Self, right: Self) -> Self {
        let count = max(left.digits.count, right.digits.count)
        var sum = [UInt64](repeating: 0, count: count + 1)
        var carry: UInt64 = 0
        for place in 0..<count {
            let value = (left[place] + right[place]) + carry
            sum[place] = value & 0xFFFF_FFFF
            carry = value >> 32
        }
        sum[count] = carry
        return Self(trimming: sum)
    }

    /// - Precondition: `right` is not greater.
    static func - (left: Self, right: Self) -> Self {
        precondition(left >= right, "a number below 0")
        var difference = left.digits
        var borrow: UInt64 = 0
        for place in difference.indices {
            let value = left[place] &- right[place] &- borrow
            difference[place] = value & 0xFFFF_FFFF
            borrow = value >> 63
        }
        return Self(trimming: difference)
    }

    static func * (left: Self, right: Self) -> Self {
        var product = [UInt64](repeating: 0, count: left.digits.count + right.digits.count + 1)
        for (place, digit) in left.digits.enumerated() {
            var carry: UInt64 = 0
            for (offset, other) in right.digits.enumerated() {
                let value = product[place + offset] + digit * other + carry
                product[place + offset] = value & 0xFFFF_FFFF
                carry = value >> 32
            }
            product[place + right.digits.count] = carry
        }
        return Self(trimming: product)
    }

    /// Times two to a power.
    static func << (number: Self, bits: Int) -> Self {
        let shift = UInt64(bits % 32)
        var result = [UInt64](repeating: 0, count: bits / 32)
        var carry: UInt64 = 0
        for digit in number.digits {
            let value = digit << shift | carry
            result.append(value & 0xFFFF_FFFF)
            carry = value >> 32
        }
        return Self(trimming: result + [carry])
    }

    /// The rest of a division.
    ///
    /// Source: Knuth, "The Art of Computer Programming", volume 2, 4.3.1, algorithm D.
    ///
    /// - Precondition: `divisor` is not 0.
    static func % (number: Self, divisor: Self) -> Self {
        precondition(!divisor.digits.isEmpty, "division by 0")
        guard number >= divisor else { return number }
        let count = divisor.digits.count
        if count == 1 {
            let small = divisor.digits[0]
            return Self(number.digits.reversed().reduce(0) { ($0 << 32 | $1) % small })
        }
        // So that the highest bit of the divisor is set, which makes estimates nearly right.
        let shift = (count * 32) - divisor.bitWidth
        let by = (divisor << shift).digits
        var rest = (number << shift).digits
        rest += [UInt64](repeating: 0, count: number.digits.count + 1 - rest.count)
        for place in stride(from: rest.count - count - 1, through: 0, by: -1) {
            let top = rest[place + count] << 32 | rest[place + count - 1]
            var estimate = top / by[count - 1]
            var left = top % by[count - 1]
            while estimate >> 32 != 0 || estimate * by[count - 2] > (left << 32 | rest[place + count - 2]) {
                estimate -= 1
                left += by[count - 1]
                if left >> 32 != 0 { break }
            }
            if subtract(by, times: estimate, from: &rest, at: place) { add(by, to: &rest, at: place) }
        }
        let remainder = Array(rest.prefix(count))
        return Self(
            trimming: remainder.indices.map { index in
                let higher = index + 1 < count ? remainder[index + 1] : 0
                return (remainder[index] | higher << 32) >> UInt64(shift) & 0xFFFF_FFFF
            })
    }

    /// - Returns: Whether `factor` was too large by one.
    private static func subtract(
        _ divisor: [UInt64], times factor: UInt64, from rest: inout [UInt64], at place: Int
    ) -> Bool {
        var carry: UInt64 = 0
        var borrow: UInt64 = 0
        for (offset, digit) in divisor.enumerated() {
            let product = factor * digit + carry
            carry = product >> 32
            let value = rest[place + offset] &- (product & 0xFFFF_FFFF) &- borrow
            rest[place + offset] = value & 0xFFFF_FFFF
            borrow = value >> 63
        }
        let value = rest[place + divisor.count] &- carry &- borrow
        rest[place + divisor.count] = value & 0xFFFF_FFFF
        return value >> 63 == 1
    }

    private static func add(_ divisor: [UInt64], to rest: inout [UInt64], at place: Int) {
        var carry: UInt64 = 0
        for (offset, digit) in divisor.enumerated() {
            let value = rest[place + offset] + digit + carry
            rest[place + offset] = value & 0xFFFF_FFFF
            carry = value >> 32
        }
        rest[place + divisor.count] = (rest[place + divisor.count] + carry) & 0xFFFF_FFFF
    }

    private subscript(place: Int) -> UInt64 { place < digits.count ? digits[place] : 0 }
}
