/// A level in the receiver's scale: decibels below full, from -30 to 0, and -144 for silence.
package enum AirPlayVolume {
    private static let silence = -144.0
    private static let least = -30.0

    /// - Parameter level: `0...1`, clamped; 0 is silence.
    package static func decibels(level: Float) -> Double {
        guard level.isFinite, level > 0 else { return silence }
        return least * (1 - Double(min(1, level)))
    }

    /// - Returns: `0...1`; everything below -30 dB is 0.
    package static func level(decibels: Double) -> Float {
        guard decibels.isFinite, decibels > least else { return 0 }
        return Float(min(1, 1 - decibels / least))
    }

    /// Returns the body of `SET_PARAMETER`, with six decimals and never an exponent.
    package static func parameter(level: Float) -> String {
        let millionths = Int((decibels(level: level) * 1_000_000).rounded())
        let digits = String(abs(millionths) % 1_000_000)
        let fraction = String(repeating: "0", count: 6 - digits.count) + digits
        return "volume: \(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000).\(fraction)\r\n"
    }

    /// Parses the answer to `GET_PARAMETER`, such as `volume: -11.25`; `nil` for other text.
    package static func level(parameter: String) -> Float? {
        for line in parameter.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "volume",
                let decibels = Double(parts[1].filter { $0 != " " }), decibels.isFinite
            else { continue }
            return level(decibels: decibels)
        }
        return nil
    }
}
