/// Cuts captured sound into frames of ``AudioFormat/length`` samples, each with the time of its capture.
public struct SoundFrames: Sendable {
    /// A difference between the time of the samples and their count above which the time counts, in seconds. Smaller ones
    /// are those of clocks.
    static let tolerance = 0.04

    private var pending: [Int16] = []
    /// The time of the first pending sample.
    private var next: Double?

    public init() {}

    /// Adds samples.
    ///
    /// - Parameters:
    ///   - samples: Left and right in turn.
    ///   - time: The time of the first one, in seconds.
    /// - Returns: The frames that are complete, and the last one before a gap with silence at its end.
    public mutating func add(_ samples: [Int16], from time: Double) -> [(samples: [Int16], time: Double)] {
        let length = AudioFormat.length * AudioFormat.channels
        var frames: [(samples: [Int16], time: Double)] = []
        var start = next ?? time
        let expected = start + Double(pending.count / AudioFormat.channels) / Double(AudioFormat.rate)
        if abs(expected - time) > Self.tolerance {
            if !pending.isEmpty {
                frames.append((pending + [Int16](repeating: 0, count: length - pending.count), start))
            }
            pending = []
            start = time
        }
        pending += samples
        var taken = 0
        while pending.count - taken >= length {
            frames.append((Array(pending[taken..<taken + length]), start))
            taken += length
            start += AudioFormat.duration
        }
        pending.removeFirst(taken)
        next = start
        return frames
    }
}
