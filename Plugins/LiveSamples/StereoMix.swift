/// Mixes interleaved sound of one to eight channels into stereo.
public struct StereoMix: Sendable {
    private let channels: Int
    /// The share of each channel on the left and on the right.
    private let weights: [(left: Float, right: Float)]

    /// 3 dB less.
    private static let half = Float(0.5).squareRoot()

    /// - Parameter channels: In the usual order of a WAVE file: front left, front right, front center, low frequencies, back
    ///   left, back right, side left, side right; those of fewer channels leave some of them out. The weights are those of
    ///   ITU-R BS.775, without low frequencies, and so that nothing is clipped.
    public init(channels: Int) {
        let half = Self.half
        let (left, right, center, none) = (
            (Float(1), Float(0)), (Float(0), Float(1)), (half, half), (Float(0), Float(0))
        )
        let (backLeft, backRight) = ((half, Float(0)), (Float(0), half))
        let shares: [(Float, Float)] =
            switch channels {
            case 1: [(1, 1)]
            case 2: [left, right]
            case 3: [left, right, center]
            case 4: [left, right, backLeft, backRight]
            case 5: [left, right, center, backLeft, backRight]
            case 6: [left, right, center, none, backLeft, backRight]
            case 7: [left, right, center, none, center, backLeft, backRight]
            default: [left, right, center, none, backLeft, backRight, backLeft, backRight]
            }
        self.channels = shares.count
        let loudest = max(1, shares.reduce(0) { $0 + $1.0 })
        weights = shares.map { ($0.0 / loudest, $0.1 / loudest) }
    }

    /// Mixes whole frames.
    public func mix(_ samples: [Int16]) -> [Int16] {
        guard channels != 2 else { return samples }
        let frames = samples.count / channels
        return [Int16](unsafeUninitializedCapacity: frames * 2) { result, count in
            for frame in 0..<frames {
                var (left, right) = (Float(0), Float(0))
                for channel in 0..<channels {
                    let sample = Float(samples[frame * channels + channel])
                    left += sample * weights[channel].left
                    right += sample * weights[channel].right
                }
                result[frame * 2] = Int16(max(-32_768, min(32_767, left.rounded())))
                result[frame * 2 + 1] = Int16(max(-32_768, min(32_767, right.rounded())))
            }
            count = frames * 2
        }
    }
}
