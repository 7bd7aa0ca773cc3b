import CoreMedia
import Testing

@Suite struct CMTimeArithmeticTests {
    @Test func sumsTakeTheLeastCommonMultiple() {
        let sum = CMTime(value: 1, timescale: 4) + CMTime(value: 1, timescale: 6)
        #expect(sum.value == 5 && sum.timescale == 12 && !sum.hasBeenRounded)
        let difference = CMTime(value: 1, timescale: 600) - CMTime(value: 2, timescale: 600)
        #expect(difference.value == -1 && difference.timescale == 600)
    }

    @Test func aMultipleTooGreatIsRoundedToTheGreatestTimescale() {
        let sum = CMTime(value: 1, timescale: .max) + CMTime(value: 1, timescale: .max - 1)
        #expect(sum.timescale == kCMTimeMaxTimescale && sum.value == 2 && sum.hasBeenRounded)
    }

    @Test func roundingIsInherited() {
        let rounded = CMTime(seconds: 0.1, preferredTimescale: 3)
        #expect((rounded + .zero).hasBeenRounded)
    }

    @Test func overflowHalvesTheTimescaleAndThenIsInfinite() {
        let great = CMTime(value: .max, timescale: 600)
        let sum = great + great
        #expect(sum.isNumeric && sum.timescale == 300 && sum.value == .max)
        #expect((CMTime(value: .max, timescale: 1) + CMTime(value: 1, timescale: 1)).isPositiveInfinity)
        #expect((CMTime(value: .min, timescale: 1) - CMTime(value: 1, timescale: 1)).isNegativeInfinity)
    }

    @Test func specialsInSums() {
        let one = CMTime(value: 1, timescale: 1)
        #expect(one + .positiveInfinity == .positiveInfinity)
        #expect(.positiveInfinity + .positiveInfinity == CMTime.positiveInfinity)
        #expect(.positiveInfinity + .negativeInfinity == CMTime.invalid)
        #expect(.indefinite + .negativeInfinity == CMTime.negativeInfinity)
        #expect(one - .indefinite == .indefinite)
        #expect(one - .positiveInfinity == .negativeInfinity)
        #expect(.negativeInfinity - .negativeInfinity == CMTime.invalid)
        #expect(.positiveInfinity - .negativeInfinity == CMTime.positiveInfinity)
        #expect(.invalid + one == .invalid)
    }

    @Test func multiplication() {
        let third = CMTime(value: 1, timescale: 3)
        #expect(CMTimeMultiply(third, multiplier: -6) == CMTime(value: -2, timescale: 1))
        let ratio = CMTimeMultiplyByRatio(CMTime(value: 10, timescale: 600), multiplier: 1, divisor: 2)
        #expect(ratio.value == 5 && ratio.timescale == 600)
        #expect(CMTimeMultiplyByRatio(third, multiplier: 1, divisor: -7) == CMTime(value: -1, timescale: 21))
        #expect(CMTimeMultiplyByRatio(third, multiplier: 1, divisor: 0) == .invalid)
        #expect(CMTimeMultiply(.negativeInfinity, multiplier: -1) == .positiveInfinity)
        #expect(CMTimeMultiply(.positiveInfinity, multiplier: 0) == .invalid)
        #expect(CMTimeMultiply(CMTime(value: .min, timescale: 1), multiplier: .min).isPositiveInfinity)
    }

    @Test func multiplicationByAFraction() {
        let product = CMTimeMultiplyByFloat64(CMTime(value: 100, timescale: 100), multiplier: 1.5)
        #expect(product == CMTime(value: 150, timescale: 100))
        #expect(
            CMTimeMultiplyByFloat64(CMTime(value: 7, timescale: 3), multiplier: 3) == CMTime(value: 7, timescale: 1))
        #expect(CMTimeMultiplyByFloat64(.zero, multiplier: .nan) == .invalid)
        #expect(CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 1), multiplier: .infinity).isPositiveInfinity)
        #expect(CMTimeMultiplyByFloat64(.negativeInfinity, multiplier: 0.5) == .negativeInfinity)
        #expect(CMTimeMultiplyByFloat64(.indefinite, multiplier: 2) == .indefinite)
    }

    /// Value, old and new timescale, and the result of every method.
    static let roundings: [(CMTimeValue, CMTimeScale, CMTimeScale, [CMTimeRoundingMethod: CMTimeValue])] = [
        (
            5, 10, 1,
            [
                .roundHalfAwayFromZero: 1, .roundTowardZero: 0, .roundAwayFromZero: 1, .quickTime: 0,
                .roundTowardPositiveInfinity: 1, .roundTowardNegativeInfinity: 0,
            ]
        ),
        (
            -4, 10, 1,
            [
                .roundHalfAwayFromZero: 0, .roundTowardZero: 0, .roundAwayFromZero: -1, .quickTime: -1,
                .roundTowardPositiveInfinity: 0, .roundTowardNegativeInfinity: -1,
            ]
        ),
        (
            1, 3, 10,
            [
                .roundHalfAwayFromZero: 3, .roundTowardZero: 3, .roundAwayFromZero: 4, .quickTime: 4,
                .roundTowardPositiveInfinity: 4, .roundTowardNegativeInfinity: 3,
            ]
        ),
        (
            -15, 10, 1,
            [
                .roundHalfAwayFromZero: -2, .roundTowardZero: -1, .roundAwayFromZero: -2, .quickTime: -1,
                .roundTowardPositiveInfinity: -1, .roundTowardNegativeInfinity: -2,
            ]
        ),
    ]

    @Test(arguments: roundings.indices) func conversionRoundsByItsMethod(index: Int) {
        let (value, old, new, expected) = Self.roundings[index]
        for (method, result) in expected {
            let time = CMTimeConvertScale(CMTime(value: value, timescale: old), timescale: new, method: method)
            #expect(time.value == result && time.timescale == new && time.hasBeenRounded, "\(method)")
        }
    }

    @Test func conversionThatIsExactOrImpossible() {
        let exact = CMTime(value: 1, timescale: 2).convertScale(600, method: .roundTowardZero)
        #expect(exact.value == 300 && !exact.hasBeenRounded)
        #expect(CMTime(value: .max, timescale: 1).convertScale(2, method: .default).isPositiveInfinity)
        #expect(CMTime(value: .min, timescale: 1).convertScale(.max, method: .default).isNegativeInfinity)
        #expect(CMTime.indefinite.convertScale(600, method: .default).isIndefinite)
    }

    @Test func randomSumsAgreeWithFloatingPoint() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let first = CMTime(
                value: .random(in: -1_000_000...1_000_000, using: &generator),
                timescale: .random(in: 1...100_000, using: &generator))
            let second = CMTime(
                value: .random(in: -1_000_000...1_000_000, using: &generator),
                timescale: .random(in: 1...100_000, using: &generator))
            let sum = first + second
            #expect(abs(sum.seconds - (first.seconds + second.seconds)) < 1e-6)
            #expect((sum - second) == first || sum.hasBeenRounded)
            #expect((first < second) == (first.seconds < second.seconds))
        }
    }
}
