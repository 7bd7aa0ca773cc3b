/// A continuous sound.
public enum Soundscape: String, CaseIterable, Sendable {
    case rain, surf, fan

    /// The title for people.
    public var title: String {
        switch self {
        case .rain: "Rain"
        case .surf: "Surf"
        case .fan: "Fan"
        }
    }

    /// Its colour on the cover: red, green, blue.
    public var colour: (UInt8, UInt8, UInt8) {
        switch self {
        case .rain: (70, 90, 140)
        case .surf: (20, 120, 130)
        case .fan: (120, 110, 100)
        }
    }

    /// The share of the previous sample in the next one: a larger share makes a deeper sound.
    var smoothness: Float {
        switch self {
        case .rain: 0.3
        case .surf: 0.93
        case .fan: 0.98
        }
    }
}

/// Makes the samples of a soundscape: noise through a filter of one pole, and for the surf a slow swell.
public struct Synthesizer: Sendable {
    public static let sampleRate = 44_100

    private let soundscape: Soundscape
    private var noise: UInt64
    private var level: Float = 0
    private var time = 0

    /// - Parameter seed: Another one is another noise.
    public init(_ soundscape: Soundscape, seed: UInt64 = 1) {
        self.soundscape = soundscape
        noise = seed == 0 ? 1 : seed
    }

    /// The next samples, `-1.0...1.0`.
    public mutating func samples(_ count: Int) -> [Float] {
        (0..<count).map { _ in next() }
    }

    private mutating func next() -> Float {
        // xorshift64
        noise ^= noise << 13
        noise ^= noise >> 7
        noise ^= noise << 17
        let white = Float(Int64(bitPattern: noise) >> 40) / Float(1 << 23)
        let smoothness = soundscape.smoothness
        level = level * smoothness + white * (1 - smoothness)
        time += 1
        guard soundscape == .surf else { return level }
        // A wave every eight seconds.
        let phase = Float(time % (8 * Self.sampleRate)) / Float(8 * Self.sampleRate)
        return level * (0.3 + 0.7 * (1 - abs(2 * phase - 1)))
    }
}
