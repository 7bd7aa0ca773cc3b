import Testing

@testable import MediaDevice

struct ChannelMixTests {
    private func mix(_ samples: [Float], _ channels: Int, to target: Int = 2) throws -> [Float] {
        try #require(ChannelMix(from: channels, to: target)).mix(samples)
    }

    @Test func monoIsOnBothSidesAndStereoIsHalfOfEach() throws {
        #expect(try mix([0.5, -1], 1) == [0.5, 0.5, -1, -1])
        #expect(try mix([0.5, 0.25, 1, -1], 2, to: 1) == [0.375, 0])
    }

    /// Front, back and side channels are on their sides, the center on both, and low frequencies on none.
    @Test(arguments: 3...8) func eachChannelIsHeardOnItsSide(_ channels: Int) throws {
        let sides: [Int: String] = [
            3: "LRC", 4: "LRLR", 5: "LRCLR", 6: "LRC-LR", 7: "LRC-CLR", 8: "LRC-LRLR",
        ]
        for (channel, side) in (sides[channels] ?? "").enumerated() {
            var frame = [Float](repeating: 0, count: channels)
            frame[channel] = 0.5
            let stereo = try mix(frame, channels)
            #expect((stereo[0] > 0.1) == (side == "L" || side == "C"), "channel \(channel)")
            #expect((stereo[1] > 0.1) == (side == "R" || side == "C"), "channel \(channel)")
            #expect(abs(try mix(frame, channels, to: 1)[0] - (stereo[0] + stereo[1]) / 2) < 1e-6)
        }
    }

    @Test(arguments: 1...8) func nothingIsClipped(_ channels: Int) throws {
        let loud = try mix([Float](repeating: 1, count: channels * 2), channels)
        #expect(loud.count == 4 && loud.allSatisfy { $0 > 0.999 && $0 < 1.000_001 })
    }

    @Test(arguments: [(0, 2), (9, 2), (2, 0), (2, 3), (6, 4)]) func whatCannotBeMixed(source: Int, target: Int) {
        #expect(ChannelMix(from: source, to: target) == nil)
    }
}
