/// The resource usage of an extension's process at one time.
package struct ProcessUsage: Sendable, Hashable {
    /// The memory in bytes, with shared memory counted in full (`Rss`).
    package var residentMemory: UInt64
    /// The memory in bytes, with shared memory divided among its users (`Pss`); `nil` if unknown.
    package var proportionalMemory: UInt64?
    /// Seconds all processors together have spent on it.
    package var processorTime: Double
    /// Seconds since its launch.
    package var runningTime: Double

    package init(
        residentMemory: UInt64, proportionalMemory: UInt64? = nil, processorTime: Double, runningTime: Double
    ) {
        self.residentMemory = residentMemory
        self.proportionalMemory = proportionalMemory
        self.processorTime = processorTime
        self.runningTime = runningTime
    }
}

/// One line of an extension's log.
package struct ExtensionLogLine: Sendable, Hashable {
    /// Counted from 1 for each extension, without gaps.
    package var sequence: UInt64
    /// The time of arrival in seconds since 1970.
    package var time: Double
    /// The level in swift-log's terms: `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.
    package var level: String
    /// The generation of the process that printed the line.
    package var generation: Int
    /// A Boolean value that indicates whether the host wrote the line, for a launch or an end.
    package var isFromHost: Bool
    /// The text without control characters.
    package var text: String

    package init(
        sequence: UInt64, time: Double, level: String, generation: Int, isFromHost: Bool, text: String
    ) {
        self.sequence = sequence
        self.time = time
        self.level = level
        self.generation = generation
        self.isFromHost = isFromHost
        self.text = text
    }
}

/// Lines of an extension's log in order.
package struct ExtensionLogBatch: Sendable, Hashable {
    package var lines: [ExtensionLogLine]
    /// The number of lines before these that were dropped.
    package var skipped: UInt64

    package init(lines: [ExtensionLogLine], skipped: UInt64) {
        self.lines = lines
        self.skipped = skipped
    }
}
