import CoreMedia
import Testing

@Suite struct CMTimeTests {
    static let specials: [CMTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]

    @Test func constantsAreWhatTheyAreCalled() {
        #expect(!CMTime.invalid.isValid && !CMTime.invalid.isNumeric)
        #expect(CMTime.indefinite.isIndefinite && !CMTime.indefinite.isNumeric)
        #expect(CMTime.positiveInfinity.isPositiveInfinity && CMTime.negativeInfinity.isNegativeInfinity)
        #expect(CMTime.zero.isNumeric && CMTime.zero.seconds == 0)
        #expect(CMTime() == .invalid)
    }

    @Test func secondsOfEveryKind() {
        #expect(CMTime(value: 3, timescale: 4).seconds == 0.75)
        #expect(CMTime.invalid.seconds.isNaN && CMTime.indefinite.seconds.isNaN)
        #expect(CMTime.positiveInfinity.seconds == .infinity)
        #expect(CMTime.negativeInfinity.seconds == -.infinity)
        #expect(CMTimeGetSeconds(CMTime(value: -1, timescale: 2)) == -0.5)
    }

    @Test func makingFromSecondsRoundsAndSaysSo() {
        let exact = CMTime(seconds: 1.5, preferredTimescale: 600)
        #expect(exact.value == 900 && exact.timescale == 600 && !exact.hasBeenRounded)
        let third = CMTime(seconds: 1.0 / 3, preferredTimescale: 10)
        #expect(third.value == 3 && third.timescale == 10 && third.hasBeenRounded)
    }

    @Test func makingFromSecondsLowersTheTimescaleBeforeItOverflows() {
        let long = CMTime(seconds: 1e12, preferredTimescale: 1_000_000_000)
        #expect(long.isNumeric && long.timescale < 1_000_000_000)
        #expect(abs(long.seconds - 1e12) < 1)
        #expect(CMTime(seconds: 1e300, preferredTimescale: 600).isPositiveInfinity)
        #expect(CMTime(seconds: -1e300, preferredTimescale: 600).isNegativeInfinity)
        #expect(CMTime(seconds: -.infinity, preferredTimescale: 600).isNegativeInfinity)
        #expect(CMTime(seconds: .nan, preferredTimescale: 600) == .invalid)
        #expect(CMTime(seconds: 0x1p63, preferredTimescale: 1).isPositiveInfinity)
    }

    @Test(arguments: [0, -1, Int32.min] as [CMTimeScale])
    func aTimescaleThatIsNotPositiveMakesNothingValid(scale: CMTimeScale) {
        #expect(CMTimeMake(value: 1, timescale: scale) == .invalid)
        #expect(CMTime(seconds: 1, preferredTimescale: scale) == .invalid)
        #expect(CMTime(value: 1, timescale: 1).convertScale(scale, method: .default) == .invalid)
        let lying = CMTime(value: 1, timescale: scale, flags: .valid, epoch: 0)
        #expect(lying == .invalid && lying.seconds.isNaN)
        #expect(lying + .zero == .invalid)
        #expect(CMTimeMultiply(lying, multiplier: 2) == .invalid)
        #expect(lying.hashValue == CMTime.invalid.hashValue)
    }

    @Test func equalFractionsAreEqualAndHashAlike() {
        let half = CMTime(value: 1, timescale: 2)
        let same = CMTime(value: 300, timescale: 600)
        #expect(half == same && half.hashValue == same.hashValue)
        #expect(CMTime(value: 0, timescale: 7).hashValue == CMTime.zero.hashValue)
        #expect(Set([half, same, CMTime(value: -1, timescale: 2)]).count == 2)
        #expect(CMTime(value: .min, timescale: 1).hashValue == CMTime(value: .min, timescale: 1).hashValue)
    }

    @Test func orderIsTotal() {
        let ascending: [CMTime] = [
            .negativeInfinity, CMTime(value: .min, timescale: 1), CMTime(value: -1, timescale: 3), .zero,
            CMTime(value: 1, timescale: 3), CMTime(value: .max, timescale: 1), .indefinite, .positiveInfinity, .invalid,
        ]
        for (index, time) in ascending.enumerated() {
            for (otherIndex, other) in ascending.enumerated() {
                #expect((time < other) == (index < otherIndex), "\(index) and \(otherIndex)")
                #expect((time == other) == (index == otherIndex))
            }
        }
    }

    @Test func comparisonIsExactWhereDoublesAreNot() {
        let great = CMTime(value: .max, timescale: 2)
        let lesser = CMTime(value: .max - 1, timescale: 2)
        #expect(great.seconds == lesser.seconds)
        #expect(great > lesser)
    }

    @Test func aGreaterEpochIsLater() {
        let first = CMTimeMakeWithEpoch(value: 100, timescale: 1, epoch: 1)
        let second = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 2)
        #expect(first < second)
        #expect(first + second == .invalid)
        #expect((first + CMTime(value: 1, timescale: 1)).epoch == 1)
        #expect((first - first).epoch == 0)
        #expect(CMTimeMakeWithEpoch(value: 1, timescale: 0, epoch: 4).epoch == 0)
    }

    @Test func minimumMaximumAndAbsolute() {
        let (one, two) = (CMTime(value: 1, timescale: 1), CMTime(value: 2, timescale: 1))
        #expect(CMTimeMinimum(two, one) == one && CMTimeMaximum(two, one) == two)
        #expect(CMTimeAbsoluteValue(CMTime(value: -2, timescale: 1)) == two)
        #expect(CMTimeAbsoluteValue(.negativeInfinity) == .positiveInfinity)
        // 2⁶³ does not fit, so the timescale gives way.
        let edge = CMTimeAbsoluteValue(CMTime(value: .min, timescale: 2))
        #expect(edge.isNumeric && edge.seconds == 0x1p62)
    }
}
