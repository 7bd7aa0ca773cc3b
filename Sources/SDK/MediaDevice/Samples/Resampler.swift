import Foundation

/// Converts interleaved sound to another rate with a windowed sinc, one phase for each position between two frames.
struct Resampler: Sendable {
    /// The frames on each side of a position, at the lower of both rates.
    private static let reach = 24
    /// The shape of the Kaiser window, for 90 dB.
    private static let shape = 9.0
    /// The number of phases that common rates need.
    private static let mostPhases = 1280

    /// The ratio of the rates in lowest terms.
    let up: Int
    let down: Int
    private let channels: Int
    private let taps: Int
    /// The weights of each phase, one after the other.
    private let weights: [Float]
    /// The samples that are still needed.
    private var history: [Float] = []
    /// The phase of the next frame, counted from the beginning of the history.
    private var position = 0

    /// - Parameters:
    ///   - source: Frames per second of the source.
    ///   - target: Frames per second of the result.
    /// - Returns: `nil` if the rates have too little in common.
    init?(from source: Int, to target: Int, channels: Int) {
        let divisor = Self.divisor(source, target)
        guard divisor > 0, target / divisor <= Self.mostPhases else { return nil }
        up = target / divisor
        down = source / divisor
        self.channels = channels
        let cutoff = min(1, Double(up) / Double(down))
        let side = Int((Double(Self.reach) / cutoff).rounded(.up))
        taps = side * 2
        weights = Self.weights(phases: up, side: side, cutoff: cutoff * 0.95)
        reset()
    }

    /// Forgets the samples so far.
    mutating func reset() {
        // The first frame of the source is the middle of the first filter.
        history = [Float](repeating: 0, count: (taps / 2 - 1) * channels)
        position = 0
    }

    /// Converts whole frames. The last ones follow with the next call. Frame n of all results lies at frame
    /// n · ``down`` / ``up`` of the source.
    mutating func convert(_ samples: [Float]) -> [Float] {
        history += samples
        let frames = history.count / channels
        let count = max(0, (frames - taps + 1) * up - position + down - 1) / down
        let (channels, taps, up, down) = (channels, taps, up, down)
        var position = position
        let result = [Float](unsafeUninitializedCapacity: count * channels) { result, length in
            history.withUnsafeBufferPointer { history in
                weights.withUnsafeBufferPointer { weights in
                    for frame in 0..<count {
                        let (start, phase) = (position / up * channels, position % up * taps)
                        for channel in 0..<channels {
                            var sum = Float(0)
                            for tap in 0..<taps {
                                sum += history[start + tap * channels + channel] * weights[phase + tap]
                            }
                            result.initializeElement(at: frame * channels + channel, to: sum)
                        }
                        position += down
                    }
                }
            }
            length = count * channels
        }
        let used = min(position / up, frames)
        history.removeFirst(used * channels)
        self.position = position - used * up
        return result
    }

    /// Returns the last frames, after which there are no more.
    mutating func finish() -> [Float] { convert([Float](repeating: 0, count: taps / 2 * channels)) }

    private static func weights(phases: Int, side: Int, cutoff: Double) -> [Float] {
        let whole = bessel(shape)
        return (0..<phases).flatMap { phase -> [Float] in
            let exact = (0..<side * 2).map { tap -> Double in
                let distance = Double(tap - side + 1) - Double(phase) / Double(phases)
                let angle = Double.pi * distance * cutoff
                let sinc = distance == 0 ? 1 : sin(angle) / angle
                let part = distance / Double(side)
                return abs(part) >= 1 ? 0 : sinc * bessel(shape * (1 - part * part).squareRoot()) / whole
            }
            let sum = exact.reduce(0, +)
            return exact.map { Float($0 / sum) }
        }
    }

    /// The modified Bessel function of order 0.
    private static func bessel(_ value: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for index in 1...40 {
            term *= value * value / 4 / Double(index * index)
            sum += term
        }
        return sum
    }

    private static func divisor(_ left: Int, _ right: Int) -> Int { right == 0 ? left : divisor(right, left % right) }
}
