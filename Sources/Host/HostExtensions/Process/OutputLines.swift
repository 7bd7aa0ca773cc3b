import Foundation
import HostInterface

/// Cuts the bytes a child prints into lines of bounded length.
struct OutputLines: Sendable {
    static let longestLine = 4096
    private var pending: [UInt8] = []
    private var isCut = false

    /// One line without its end.
    struct Line: Sendable, Hashable {
        var bytes: [UInt8]
        /// A Boolean value that indicates whether the line was longer.
        var isCut: Bool

        /// The text for a log: valid UTF-8 without control characters, which a terminal would interpret.
        var text: String {
            var text = String(decoding: bytes, as: UTF8.self)
            if text.unicodeScalars.contains(where: Self.isUnprintable) {
                text = String(
                    String.UnicodeScalarView(text.unicodeScalars.map { Self.isUnprintable($0) ? "\u{FFFD}" : $0 }))
            }
            return isCut ? text + "…" : text
        }

        /// No terminal obeys these, and without them nothing private would be hidden in a report.
        private static let marks = Set(PrivateText.marked("").unicodeScalars)

        private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control && scalar != "\t" && !marks.contains(scalar)
        }
    }

    /// - Returns: The lines completed by `bytes`, empty ones left out.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while let start = rest.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: rest).baseAddress {
            let end = memchr(start, 0x0A, rest.count)
            let count = end.map { UnsafeRawPointer($0) - start } ?? rest.count
            take(rest.prefix(count))
            rest = rest.dropFirst(count)
            guard end != nil else { break }
            rest = rest.dropFirst()
            if let line = finish() { lines.append(line) }
        }
        return lines
    }

    /// Returns the remaining bytes without a line end; `nil` if there are none.
    mutating func finish() -> Line? {
        defer {
            pending.removeAll(keepingCapacity: true)
            isCut = false
        }
        if pending.last == 0x0D { pending.removeLast() }
        return pending.isEmpty ? nil : Line(bytes: pending, isCut: isCut)
    }

    private mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) {
        let room = Self.longestLine - pending.count
        pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
        if bytes.count > room { isCut = true }
    }
}

/// Admits a burst of lines and then a steady rate, and counts the suppressed lines.
struct LineRateLimit: Sendable {
    private let burst: Double
    private let perSecond: Double
    private var tokens: Double
    private var last: ContinuousClock.Instant
    private(set) var suppressed = 0

    init(burst: Int = 200, perSecond: Int = 50, now: ContinuousClock.Instant) {
        self.burst = Double(burst)
        self.perSecond = Double(perSecond)
        tokens = Double(burst)
        last = now
    }

    /// - Returns: Whether to admit the line, and the number of lines suppressed since the last admitted one.
    mutating func admit(at now: ContinuousClock.Instant) -> (isAdmitted: Bool, suppressedBefore: Int) {
        let elapsed = (now - last) / .seconds(1)
        tokens = min(burst, tokens + max(0, elapsed) * perSecond)
        last = now
        guard tokens >= 1 else {
            suppressed += 1
            return (false, 0)
        }
        tokens -= 1
        defer { suppressed = 0 }
        return (true, suppressed)
    }
}

/// The last words of a dying program, as runtimes of several languages print them.
enum CrashBanner {
    private static let markers = [
        "Fatal error: ", "Precondition failed: ", "Assertion failed: ", "Assertion failed", "panicked at ",
        "terminate called after ", "*** stack smashing detected ***", "double free or corruption",
        "error while loading shared libraries: ", "==ERROR: AddressSanitizer: ",
    ]

    /// - Returns: The telling part of `line`, at most 300 characters; `nil` if it is an ordinary line.
    static func reason(in line: String) -> String? {
        for marker in markers {
            guard let range = line.firstRange(of: marker) else { continue }
            return String(line[range.lowerBound...].prefix(300))
        }
        return nil
    }
}
