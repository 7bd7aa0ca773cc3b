import Logging

/// One line an extension printed, with the level it gave it.
struct OutputMessage: Sendable, Hashable {
    var level: Logger.Level
    /// The text without time, level and label, which the host adds itself.
    var text: String

    /// Creates a message from a line of swift-log's stream handlers (`2026-01-31T12:00:00+0000 info label: [Source]
    /// text`) or one with a priority (`<4>text`, sd-daemon(3)). Any other line has the level of information, or of an
    /// error if a runtime prints it before a crash.
    init(_ line: String) {
        if let message = Self.swiftLog(line) ?? Self.priority(line) {
            self = message
        } else {
            self.init(level: CrashBanner.reason(in: line) == nil ? .info : .error, text: line)
        }
    }

    init(level: Logger.Level, text: String) {
        self.level = level
        self.text = text
    }

    private static func swiftLog(_ line: String) -> OutputMessage? {
        let bytes = line.utf8
        guard bytes.first.map({ (0x30...0x39).contains($0) }) == true, let afterTime = bytes.firstIndex(of: 0x20),
            isTime(bytes[..<afterTime])
        else { return nil }
        let rest = line[line.index(after: afterTime)...]
        let word = rest.prefix { $0 != " " && $0 != ":" }
        guard let level = Logger.Level(rawValue: String(word)) else { return nil }
        // The label is followed by a colon and a space; labels of Swift programs have no space.
        guard let colon = rest[word.endIndex...].firstRange(of: ": ") else { return nil }
        let label = rest[word.endIndex..<colon.lowerBound].dropFirst()
        guard !label.contains(" ") else { return nil }
        return OutputMessage(level: level, text: String(rest[colon.upperBound...]))
    }

    /// `2026-01-31T12:00:00` and a zone or fractions of a second behind it.
    private static func isTime(_ bytes: Substring.UTF8View) -> Bool {
        let pattern = "0000-00-00T00:00:00".utf8
        guard (pattern.count + 1)...40 ~= bytes.count else { return false }
        return zip(bytes, pattern).allSatisfy { byte, model in
            model == 0x30 ? (0x30...0x39).contains(byte) : byte == model
        }
    }

    private static func priority(_ line: String) -> OutputMessage? {
        let bytes = Array(line.utf8.prefix(3))
        guard bytes.count == 3, bytes[0] == UInt8(ascii: "<"), bytes[2] == UInt8(ascii: ">") else { return nil }
        let level: Logger.Level
        switch bytes[1] {
        case UInt8(ascii: "0")...UInt8(ascii: "2"): level = .critical
        case UInt8(ascii: "3"): level = .error
        case UInt8(ascii: "4"): level = .warning
        case UInt8(ascii: "5"): level = .notice
        case UInt8(ascii: "6"): level = .info
        case UInt8(ascii: "7"): level = .debug
        default: return nil
        }
        return OutputMessage(level: level, text: String(line.dropFirst(3)))
    }
}
