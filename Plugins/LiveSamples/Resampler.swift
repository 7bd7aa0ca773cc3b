import Foundation

/// Converts stereo to another rate with a windowed sinc, one phase for each position between two samples.
public struct Resampler: Sendable {
    /// The samples on each side of a position, at the lower of both rates.
    private static let reach = 24
    /// The shape of the Kaiser window, for 90 dB.
    private static let shape = 9.0

    /// The number of phases that common rates need.
    private static let mostPhases = 1280

    /// The ratio of the rates in lowest terms.
    private let up: Int
    private let down: Int
    private let taps: Int
    /// The weights of each phase, one after the other.
    private let weights: [Float]
    /// The samples that are still needed, left and right in turn.
    private var history: [Float]
    /// The phase of the next sample, counted from the beginning of the history.
    private var position = 0

    /// - Parameters:
    ///   - source: Samples per second of the source.
    ///   - target: Samples per second of the result.
    /// - Throws: ``ConversionError/rate(_:)``
    public init(from source: Int, to target: Int) throws(ConversionError) {
        let divisor = Self.divisor(source, target)
        guard divisor > 0, target / divisor <= Self.mostPhases else { throw .rate(source) }
        up = target / divisor
        down = source / divisor
        let cutoff = min(1, Double(up) / Double(down))
        let side = Int((Double(Self.reach) / cutoff).rounded(.up))
        taps = side * 2
        weights = Self.weights(phases: up, side: side, cutoff: cutoff * 0.95)
        // The first sample of the source is the middle of the first filter.
        history = [Float](repeating: 0, count: (side - 1) * 2)
    }

    /// Converts samples, left and right in turn. The last ones follow with the next call.
    public mutating func convert(_ samples: [Int16]) -> [Int16] {
        history += samples.map { Float($0) }
        let frames = history.count / 2
        var result: [Int16] = []
        result.reserveCapacity(samples.count * up / down + 4)
        history.withUnsafeBufferPointer { history in
            weights.withUnsafeBufferPointer { weights in
                while position / up + taps <= frames {
                    let (start, phase) = (position / up * 2, position % up * taps)
                    var (left, right) = (Float(0), Float(0))
                    for tap in 0..<taps {
                        let weight = weights[phase + tap]
                        left += history[start + tap * 2] * weight
                        right += history[start + tap * 2 + 1] * weight
                    }
                    for value in [left, right] { result.append(Int16(max(-32_768, min(32_767, value.rounded())))) }
                    position += down
                }
            }
        }
        let used = min(position / up, frames)
        history.removeFirst(used * 2)
        position -= used * up
        return result
    }

    /// Returns the last samples, after which there are no more.
    public mutating func finish() -> [Int16] { convert([Int16](repeating: 0, count: taps)) }

    private static func weights(phases: Int, side: Int, cutoff: Double) -> [Float] {
        (0..<phases).flatMap { phase -> [Float] in
            let exact = (0..<side * 2).map { tap -> Double in
                let distance = Double(tap - side + 1) - Double(phase) / Double(phases)
                let angle = Double.pi * distance * cutoff
                let sinc = distance == 0 ? 1 : sin(angle) / angle
                let part = distance / Double(side)
                return abs(part) >= 1 ? 0 : sinc * bessel(shape * (1 - part * part).squareRoot()) / bessel(shape)
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
