import Testing

/// The comparison of received sound with the signal.
@Suite(.timeLimit(.minutes(5)))
struct ReceivedSoundTests {
    private static let all = Array(0..<4 * 44_100)

    private static func silence(_ frames: Int) -> [Int] { Array(repeating: -1, count: frames) }

    @Test func aSoundIsItself() {
        let comparison = ReceivedSound(frames: Self.all).compared(seconds: 4)
        #expect(comparison.share == 1)
        #expect(comparison.gaps.allSatisfy { $0 == 0 })
    }

    /// Gaps at several places, also where the left channel resembles itself a period later.
    @Test(arguments: [(30_000, 27_264), (51_234, 19_620), (88_200, 1), (120_001, 86_000)])
    func aGapIsFoundToTheFrame(place: Int, length: Int) {
        var frames = Self.all
        frames.insert(contentsOf: Self.silence(length), at: place)
        let sound = ReceivedSound(frames: frames)
        let comparison = sound.compared(seconds: 4)
        #expect(comparison.share > 0.9)
        #expect(comparison.gaps.filter { $0 != 0 } == [length])
    }

    @Test func manyGapsAreFound() {
        var frames = Self.all
        for second in (1...3).reversed() {
            frames.insert(contentsOf: Self.silence(20_000 + 777 * second), at: second * 44_100)
        }
        let sound = ReceivedSound(frames: frames)
        let comparison = sound.compared(seconds: 4)
        #expect(comparison.gaps.filter { $0 != 0 } == [20_777, 21_554, 22_331])
    }

    @Test func whatIsMissingOrTurnedAroundIsTold() {
        let short = ReceivedSound(frames: Array(Self.all[..<60_000]) + Array(Self.all[80_000...])).compared(seconds: 4)
        #expect(short.gapSeconds < -0.4 || short.share < 0.9)
        let turned = ReceivedSound(frames: Array(Self.all[88_200...]) + Array(Self.all[..<88_200])).compared(seconds: 4)
        #expect(turned.share < 0.85)
    }
}
