/// Times as UPnP AV writes them: `H+:MM:SS[.F+]` or `H+:MM:SS[.F0/F1]`, optionally signed.
package enum MediaTime {
    private static let largestHours = 1_000_000.0

    /// Returns seconds; `nil` for `NOT_IMPLEMENTED`, empty text and other text that isn't a time.
    ///
    /// - Source: AVTransport:2, section 2.2.13.
    package static func seconds(_ text: String) -> Double? {
        var rest = text.trimmed[...]
        let sign: Double = rest.hasPrefix("-") ? -1 : 1
        if rest.hasPrefix("-") || rest.hasPrefix("+") { rest = rest.dropFirst() }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = digits(parts[0]), hours <= largestHours, let minutes = digits(parts[1]),
            minutes < 60
        else { return nil }
        let pieces = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = digits(pieces[0]), whole < 60 else { return nil }
        var fraction = 0.0
        if pieces.count == 2 {
            guard let value = self.fraction(pieces[1]) else { return nil }
            fraction = value
        }
        return sign * (hours * 3600 + minutes * 60 + whole + fraction)
    }

    /// Returns `H:MM:SS`, with milliseconds on request. Negative and infinite values become zero.
    ///
    /// Seek targets have no fraction, because several renderers refuse it.
    package static func text(_ seconds: Double, milliseconds: Bool = false) -> String {
        let bounded = seconds.isFinite ? min(max(0, seconds), largestHours * 3600) : 0
        let total = Int((bounded * 1000).rounded())
        let whole = milliseconds ? total / 1000 : Int(bounded.rounded())
        let clock = "\(whole / 3600):\(padded(whole / 60 % 60, 2)):\(padded(whole % 60, 2))"
        return milliseconds ? "\(clock).\(padded(total % 1000, 3))" : clock
    }

    private static func digits(_ text: Substring) -> Double? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text)
    }

    private static func fraction(_ text: Substring) -> Double? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let part = digits(parts[0]), let whole = digits(parts[1]), whole > 0, part < whole else { return nil }
            return part / whole
        }
        if text.isEmpty { return 0 }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Double("0.\(text.prefix(9))")
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
