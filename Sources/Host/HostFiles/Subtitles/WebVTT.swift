/// Subtitles in the format that web players read, made from SubRip (`.srt`) or WebVTT files. A value without I/O.
///
/// Sources: WebVTT (W3C), SubRip as players write it: there is no specification.
struct WebVTT: Sendable, Hashable {
    /// The largest file that is converted, in bytes. Subtitles of a film have about 100 KB.
    static let largestFile = 4 << 20
    private static let mostCues = 20_000

    struct Cue: Sendable, Hashable {
        /// Milliseconds.
        var start: Int
        var end: Int
        /// With the markup of WebVTT, without empty lines.
        var text: String
        /// At the upper edge of the picture.
        var isOnTop = false
    }

    private(set) var cues: [Cue] = []

    /// Reads a file.
    ///
    /// - Returns: `nil` if it contains no subtitles.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largestFile else { return nil }
        let lines = SubtitleText.decode(bytes).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let isWebVTT = lines.first?.hasPrefix("WEBVTT") == true
        var current: (start: Int, end: Int, lines: [Substring])?
        for line in lines {
            if let (start, end) = Self.times(line) {
                if let current { append(current, isMarkedUp: isWebVTT, isFollowed: true) }
                guard cues.count < Self.mostCues else { break }
                current = (start, end, [])
            } else {
                current?.lines.append(line)
            }
        }
        if let current { append(current, isMarkedUp: isWebVTT, isFollowed: false) }
        guard !cues.isEmpty else { return nil }
        // The order of the file counts among those of one time. Players stop at the first one out of order.
        cues = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    /// The file, in UTF-8.
    var encoded: [UInt8] {
        var text = "WEBVTT\n"
        for cue in cues {
            text +=
                "\n\(Self.clock(cue.start)) --> \(Self.clock(cue.end))\(cue.isOnTop ? " line:0" : "")\n\(cue.text)\n"
        }
        return Array(text.utf8)
    }

    private mutating func append(
        _ cue: (start: Int, end: Int, lines: [Substring]), isMarkedUp: Bool, isFollowed: Bool
    ) {
        guard cue.end > cue.start, cues.count < Self.mostCues else { return }
        var lines = cue.lines.map { line in line.trimmed }
        if isMarkedUp, let end = lines.firstIndex(of: "") { lines.removeSubrange(end...) }
        // The number, or in WebVTT the name, of the next one.
        if isFollowed, !isMarkedUp, let last = lines.last, !last.isEmpty, last.allSatisfy(\.isNumber) {
            lines.removeLast()
        }
        let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        let markup = CueMarkup(text, isWebVTT: isMarkedUp)
        guard !markup.text.isEmpty else { return }
        cues.append(Cue(start: cue.start, end: cue.end, text: markup.text, isOnTop: markup.isOnTop))
    }

    // MARK: Times

    /// Returns the times of a line `00:01:02,500 --> 00:01:04,000`, in milliseconds. What follows is ignored.
    private static func times(_ line: Substring) -> (start: Int, end: Int)? {
        guard line.utf8.count < 200, let arrow = line.firstRange(of: "-->") else { return nil }
        let end = line[arrow.upperBound...].trimmed.prefix { !$0.isWhitespace }
        guard let start = milliseconds(line[..<arrow.lowerBound].trimmed), let end = milliseconds(end) else {
            return nil
        }
        return (start, end)
    }

    /// Reads `1:02:03,5`, `02:03.500` or `02:03`.
    private static func milliseconds(_ text: Substring) -> Int? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        let clock = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(number)
        guard (1...2).contains(parts.count), (2...3).contains(clock.count), !clock.contains(nil) else { return nil }
        let seconds = clock.reduce(0) { $0 * 60 + ($1 ?? 0) }
        guard parts.count == 2 else { return seconds * 1000 }
        guard let fraction = number(parts[1].prefix(3)), parts[1].utf8.count <= 9 else { return nil }
        return seconds * 1000 + fraction * [100, 10, 1][parts[1].prefix(3).count - 1]
    }

    private static func number(_ digits: Substring) -> Int? {
        guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(digits)
    }

    private static func clock(_ milliseconds: Int) -> String {
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        let seconds = milliseconds / 1000
        return padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) + "."
            + padded(milliseconds % 1000, 3)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return self[...last].drop(while: \.isWhitespace)
    }
}
