/// Powers modulo an odd number, by Montgomery's multiplication on digits of 32 bits.
///
/// A division for every step would take seconds in a debug build, and its time would reveal something of the exponent.
///
/// Source: Koç, Acar, Kaliski, "Analyzing and Comparing Montgomery Multiplication Algorithms" (1996), CIOS.
struct ModularPowers: Sendable {
    private static let digit: UInt64 = 0xFFFF_FFFF
    private static let windowBits = 4

    /// Digits, the lowest first; so is every number here.
    private let modulus: [UInt64]
    /// The negated inverse of the lowest digit.
    private let inverse: UInt64
    /// The Montgomery forms of 1 and of the radix.
    private let one: [UInt64]
    private let square: [UInt64]

    /// - Parameter modulus: Odd.
    init(_ modulus: LargeNumber) {
        let count = (modulus.bitWidth + 31) / 32
        self.modulus = Self.digits(modulus, count)
        one = Self.digits((LargeNumber(1) << (32 * count)) % modulus, count)
        square = Self.digits((LargeNumber(1) << (64 * count)) % modulus, count)
        // Newton's iteration doubles the bits that are right: from three to more than 32.
        var inverse = self.modulus[0]
        for _ in 0..<4 { inverse = inverse &* (2 &- self.modulus[0] &* inverse) }
        self.inverse = (0 &- inverse) & Self.digit
    }

    func power(_ base: LargeNumber, _ exponent: LargeNumber, modulus number: LargeNumber) -> LargeNumber {
        let base = product(Self.digits(base % number, modulus.count), square)
        var table = [one]
        for index in 1..<(1 << Self.windowBits) { table.append(product(table[index - 1], base)) }
        var result = one
        let digits = Self.digits(exponent, max(1, (exponent.bitWidth + 31) / 32))
        for digit in digits.reversed() {
            for window in stride(from: 32 - Self.windowBits, through: 0, by: -Self.windowBits) {
                for _ in 0..<Self.windowBits { result = product(result, result) }
                result = product(result, table[Int(digit >> UInt64(window)) & ((1 << Self.windowBits) - 1)])
            }
        }
        var plain = [UInt64](repeating: 0, count: modulus.count)
        plain[0] = 1
        return LargeNumber(digits: product(result, plain))
    }

    /// Returns the product of two numbers, all in Montgomery form.
    private func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        let count = modulus.count
        var sum = [UInt64](repeating: 0, count: count + 2)
        sum.withUnsafeMutableBufferPointer { sum in
            left.withUnsafeBufferPointer { left in
                right.withUnsafeBufferPointer { right in
                    modulus.withUnsafeBufferPointer { modulus in
                        var index = 0
                        while index < count {
                            add(left, right[index], modulus, sum)
                            index += 1
                        }
                        reduce(sum, modulus)
                    }
                }
            }
        }
        return Array(sum.prefix(count))
    }

    /// Adds `left` times a digit, and as much of the modulus that the lowest digit is 0, which then falls away. Loops are plain:
    /// they are all of the time that a debug build takes.
    private func add(
        _ left: UnsafeBufferPointer<UInt64>, _ factor: UInt64, _ modulus: UnsafeBufferPointer<UInt64>,
        _ sum: UnsafeMutableBufferPointer<UInt64>
    ) {
        let count = modulus.count
        var carry: UInt64 = 0
        var place = 0
        while place < count {
            let value = sum[place] &+ left[place] &* factor &+ carry
            sum[place] = value & 0xFFFF_FFFF
            carry = value >> 32
            place += 1
        }
        let top = sum[count] &+ carry
        let multiple = (sum[0] &* inverse) & 0xFFFF_FFFF
        carry = (sum[0] &+ multiple &* modulus[0]) >> 32
        place = 1
        while place < count {
            let value = sum[place] &+ multiple &* modulus[place] &+ carry
            sum[place - 1] = value & 0xFFFF_FFFF
            carry = value >> 32
            place += 1
        }
        let last = (top & 0xFFFF_FFFF) &+ carry
        sum[count - 1] = last & 0xFFFF_FFFF
        sum[count] = (top >> 32) &+ (last >> 32)
    }

    /// Subtracts the modulus once if the sum isn't smaller.
    private func reduce(_ sum: UnsafeMutableBufferPointer<UInt64>, _ modulus: UnsafeBufferPointer<UInt64>) {
        let count = modulus.count
        var place = count - 1
        while sum[count] == 0, place > 0, sum[place] == modulus[place] { place -= 1 }
        guard sum[count] > 0 || sum[place] >= modulus[place] else { return }
        var borrow: UInt64 = 0
        for place in 0..<count {
            let value = sum[place] &- modulus[place] &- borrow
            sum[place] = value & 0xFFFF_FFFF
            borrow = value >> 63
        }
    }

    private static func digits(_ number: LargeNumber, _ count: Int) -> [UInt64] {
        let digits = number.digits
        return Array(digits.prefix(count)) + [UInt64](repeating: 0, count: max(0, count - digits.count))
    }
}
