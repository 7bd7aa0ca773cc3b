import LiveSamples
import Testing

struct StereoMixTests {
    @Test func stereoStaysAsItIsAndMonoIsOnBothSides() {
        #expect(StereoMix(channels: 2).mix([1, -2, 3, -4]) == [1, -2, 3, -4])
        #expect(StereoMix(channels: 1).mix([7, -32_768]) == [7, 7, -32_768, -32_768])
    }

    /// Front, back and side channels are on their sides, the center on both, and low frequencies on none.
    @Test(arguments: 3...8) func eachChannelIsHeardOnItsSide(_ channels: Int) {
        let sides: [Int: String] = [
            3: "LRC", 4: "LRLR", 5: "LRCLR", 6: "LRC-LR", 7: "LRC-CLR", 8: "LRC-LRLR",
        ]
        for (channel, side) in (sides[channels] ?? "").enumerated() {
            var frame = [Int16](repeating: 0, count: channels)
            frame[channel] = 10_000
            let (left, right) = { ($0[0], $0[1]) }(StereoMix(channels: channels).mix(frame))
            #expect((left > 2000) == (side == "L" || side == "C"), "channel \(channel)")
            #expect((right > 2000) == (side == "R" || side == "C"), "channel \(channel)")
        }
    }

    @Test(arguments: 1...8) func nothingIsClipped(_ channels: Int) {
        let mix = StereoMix(channels: channels)
        let loud = mix.mix([Int16](repeating: .max, count: channels * 2))
        #expect(loud.count == 4 && loud.allSatisfy { $0 > 32_760 })
    }
}
