/// A logger for messages of one category of a program.
///
/// `mdhost extension logs` shows the log of an extension, with level and category; the log of any other program is its
/// standard error. Both show private values; a report of `mdhost doctor --bundle` hides them.
///
/// Source: os, iOS 27 SDK.
public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    /// Creates a logger without a category.
    public init() { self.init(subsystem: "", category: "default") }

    /// Creates a logger for a category.
    ///
    /// - Parameters:
    ///   - subsystem: The program's bundle identifier.
    ///   - category: The part of the program.
    public init(subsystem: String, category: String) {
        (self.subsystem, self.category) = (subsystem, category)
    }

    /// Creates a logger from an object of the earlier interface.
    public init(_ log: OSLog) { self.init(subsystem: log.subsystem, category: log.category) }

    /// Writes a message with level `notice`.
    public func log(_ message: OSLogMessage) { log(level: .default, message) }

    /// Writes a message.
    public func log(level: OSLogType, _ message: OSLogMessage) { write(message, level.word) }

    /// Writes a message that traces the program's execution.
    public func trace(_ message: OSLogMessage) { write(message, "trace") }
    /// Writes a message for debugging.
    public func debug(_ message: OSLogMessage) { write(message, "debug") }
    /// Writes an informational message.
    public func info(_ message: OSLogMessage) { write(message, "info") }
    /// Writes a message about a notable event.
    public func notice(_ message: OSLogMessage) { write(message, "notice") }
    /// Writes a warning.
    public func warning(_ message: OSLogMessage) { write(message, "warning") }
    /// Writes an error.
    public func error(_ message: OSLogMessage) { write(message, "error") }
    /// Writes an error after which the program can't continue.
    public func critical(_ message: OSLogMessage) { write(message, "critical") }
    /// Writes an error that is a bug of the program.
    public func fault(_ message: OSLogMessage) { write(message, "critical") }

    private func write(_ message: OSLogMessage, _ level: String) {
        LogOutput.write(message.text, level: level, label: subsystem, source: category)
    }
}

/// The level of a message.
///
/// Source: os, iOS 27 SDK.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The number on Apple's systems.
    public let rawValue: UInt8
    /// Creates a level from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The level of ``Logger/notice(_:)``.
    public static let `default` = OSLogType(rawValue: 0)
    /// The level of ``Logger/info(_:)``.
    public static let info = OSLogType(rawValue: 1)
    /// The level of ``Logger/debug(_:)``.
    public static let debug = OSLogType(rawValue: 2)
    /// The level of ``Logger/error(_:)``.
    public static let error = OSLogType(rawValue: 16)
    /// The level of ``Logger/fault(_:)``.
    public static let fault = OSLogType(rawValue: 17)

    /// The name of the level in swift-log.
    var word: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .error: "error"
        case .fault: "critical"
        default: "notice"
        }
    }
}

/// A category of a program's log, for ``Logger/init(_:)`` and ``os_log(_:log:_:)``.
///
/// Source: os, iOS 27 SDK.
public final class OSLog: Sendable {
    let subsystem: String
    let category: String

    /// Creates a log for a category.
    public init(subsystem: String, category: String) { (self.subsystem, self.category) = (subsystem, category) }

    /// The log without a category.
    public static let `default` = OSLog(subsystem: "", category: "default")
}

/// Writes a message.
public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
    Logger(log).log(level: type, message)
}

/// Writes a message with level `notice`.
public func os_log(_ message: OSLogMessage) { Logger().log(message) }
