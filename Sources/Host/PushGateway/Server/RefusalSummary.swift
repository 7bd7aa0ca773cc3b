/// Makes one line of log of many refusals: the first of a reason is told at once, the others are counted until the end of
/// ten seconds.
struct RefusalSummary: Sendable {
    /// Seconds.
    static let interval = 10

    private var counts: [String: Int] = [:]
    private var isOpen = false

    enum Step: Sendable, Hashable {
        /// Tell this one, and ask for ``close()`` after ``interval``.
        case tellAndOpen
        case tell
        case count
    }

    mutating func add(_ reason: String) -> Step {
        if !isOpen {
            isOpen = true
            counts = [reason: 0]
            return .tellAndOpen
        }
        guard let count = counts[reason] else {
            counts[reason] = 0
            return .tell
        }
        counts[reason] = count + 1
        return .count
    }

    /// Ends the interval.
    ///
    /// - Returns: Of each reason how many were not told, such as `BadDeviceToken: 1998`; `nil` where all were.
    mutating func close() -> String? {
        let untold = counts.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        isOpen = false
        counts = [:]
        return untold.isEmpty ? nil : untold.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}
