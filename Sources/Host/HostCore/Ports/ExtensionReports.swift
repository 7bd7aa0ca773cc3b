/// What an extension's process takes of the machine, at the time it was asked.
package struct ProcessUsage: Sendable, Hashable {
    /// Bytes in memory, those shared with other processes counted in full (`Rss`).
    package var residentMemory: UInt64
    /// Bytes in memory, shared ones divided among those who share them (`Pss`); `nil` where the system does not tell.
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
    /// When it arrived, in seconds since 1970.
    package var time: Double
    /// swift-log's word: `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.
    package var level: String
    /// Of the process that printed it.
    package var generation: Int
    /// Whether it is the host's own remark: a launch, an end.
    package var isFromHost: Bool
    /// Without control characters.
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
    /// How many came before these and were not kept: more was printed than anybody could read.
    package var skipped: UInt64

    package init(lines: [ExtensionLogLine], skipped: UInt64) {
        self.lines = lines
        self.skipped = skipped
    }
}
