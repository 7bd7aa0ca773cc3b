import HostCore

/// The newest lines of one extension's log, limited in number and size, as a value without I/O.
struct LogRing: Sendable {
    struct Limits: Sendable, Hashable {
        var lines = 1000
        /// The size of the texts in bytes of UTF-8.
        var bytes = 256 << 10
    }

    private let limits: Limits
    /// Oldest first from `head` on; their sequence numbers have no gaps.
    private var lines: [ExtensionLogLine] = []
    private var head = 0
    private var bytes = 0
    /// The number of the newest line; 0 before the first.
    private(set) var lastSequence: UInt64 = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Adds a line behind the others and gives it the next number.
    mutating func append(
        time: Double, level: String, generation: Int, isFromHost: Bool = false, text: String
    ) {
        lastSequence += 1
        lines.append(
            ExtensionLogLine(
                sequence: lastSequence, time: time, level: level, generation: generation, isFromHost: isFromHost,
                text: text))
        bytes += text.utf8.count
        // The newest line stays, however long it is.
        while lines.count - head > 1, lines.count - head > limits.lines || bytes > limits.bytes {
            bytes -= lines[head].text.utf8.count
            head += 1
        }
        // Moved down seldom, so that adding costs the same however many there are.
        if head > limits.lines, head * 2 > lines.count {
            lines.removeFirst(head)
            head = 0
        }
    }

    /// Returns the newest lines, oldest first.
    func last(_ count: Int) -> ArraySlice<ExtensionLogLine> { lines[head...].suffix(max(0, count)) }

    /// Returns the first `count` lines after the line `sequence`, and the number of those that were already dropped.
    func lines(after sequence: UInt64, count: Int) -> (lines: ArraySlice<ExtensionLogLine>, skipped: UInt64) {
        let kept = UInt64(lines.count - head)
        let oldest = lastSequence - kept + 1
        guard sequence < lastSequence else { return ([], 0) }
        let start = max(sequence + 1, oldest)
        let index = head + Int(start - oldest)
        return (lines[index...].prefix(max(0, count)), start - sequence - 1)
    }
}
