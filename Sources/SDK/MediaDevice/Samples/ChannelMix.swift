/// Mixes interleaved sound of one to eight channels into one or two.
struct ChannelMix: Sendable {
    private let source: Int
    /// For each channel of the result, the share of each channel of the source.
    private let shares: [[Float]]

    /// 3 dB less.
    private static let half = Float(0.5).squareRoot()

    /// - Parameters:
    ///   - source: The channels, in the usual order of a WAVE file: front left, front right, front center, low frequencies,
    ///     back left, back right, side left, side right; those of fewer channels leave some of them out. The weights are those
    ///     of ITU-R BS.775, without low frequencies, and so that nothing is clipped.
    ///   - target: The channels of the result.
    /// - Returns: `nil` unless the result has one or two channels, and the source one to eight.
    init?(from source: Int, to target: Int) {
        guard (1...8).contains(source), (1...2).contains(target) else { return nil }
        let (left, right, center, none) = (
            (Float(1), Float(0)), (Float(0), Float(1)), (Self.half, Self.half), (Float(0), Float(0))
        )
        let (backLeft, backRight) = ((Self.half, Float(0)), (Float(0), Self.half))
        let stereo: [(left: Float, right: Float)] =
            switch source {
            case 1: [(1, 1)]
            case 2: [left, right]
            case 3: [left, right, center]
            case 4: [left, right, backLeft, backRight]
            case 5: [left, right, center, backLeft, backRight]
            case 6: [left, right, center, none, backLeft, backRight]
            case 7: [left, right, center, none, center, backLeft, backRight]
            default: [left, right, center, none, backLeft, backRight, backLeft, backRight]
            }
        let loudest = max(1, stereo.reduce(0) { $0 + $1.left })
        self.source = source
        shares =
            target == 2
            ? [stereo.map { $0.left / loudest }, stereo.map { $0.right / loudest }]
            : [stereo.map { ($0.left + $0.right) / 2 / loudest }]
    }

    /// Mixes whole frames.
    func mix(_ samples: [Float]) -> [Float] {
        let frames = samples.count / source
        return [Float](unsafeUninitializedCapacity: frames * shares.count) { result, count in
            for frame in 0..<frames {
                for (channel, shares) in shares.enumerated() {
                    var sum = Float(0)
                    for (index, share) in shares.enumerated() { sum += samples[frame * source + index] * share }
                    result.initializeElement(at: frame * self.shares.count + channel, to: sum)
                }
            }
            count = frames * shares.count
        }
    }
}
