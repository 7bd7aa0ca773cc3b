/// Writes messages of one category of a program to its log.
///
/// An extension's log is shown by `mdhost extension logs`, with level and category; any other program's is its standard error.
/// Private values are shown there, and hidden in a report of `mdhost doctor --bundle`.
///
/// Source: os, iOS 27 SDK.
public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    /// A log without a category.
    public init() { self.init(subsystem: "", category: "default") }

    /// A log of a category.
    ///
    /// - Parameters:
    ///   - subsystem: The program's bundle identifier.
    ///   - category: The part of it.
    public init(subsystem: String, category: String) {
        (self.subsystem, self.category) = (subsystem, category)
    }

    /// The log of an object of the earlier interface.
    public init(_ log: OSLog) { self.init(subsystem: log.subsystem, category: log.category) }

    /// Writes a message of level `notice`.
    public func log(_ message: OSLogMessage) { log(level: .default, message) }

    /// Writes a message.
    public func log(level: OSLogType, _ message: OSLogMessage) { write(message, level.word) }

    /// Writes a message that helps to follow what a program does.
    public func trace(_ message: OSLogMessage) { write(message, "trace") }
    /// Writes a message that helps to find a fault.
    public func debug(_ message: OSLogMessage) { write(message, "debug") }
    /// Writes a message that is good to know.
    public func info(_ message: OSLogMessage) { write(message, "info") }
    /// Writes a message that somebody should know.
    public func notice(_ message: OSLogMessage) { write(message, "notice") }
    /// Writes a warning.
    public func warning(_ message: OSLogMessage) { write(message, "warning") }
    /// Writes an error.
    public func error(_ message: OSLogMessage) { write(message, "error") }
    /// Writes an error after which the program can't go on.
    public func critical(_ message: OSLogMessage) { write(message, "critical") }
    /// Writes an error that is the program's own fault.
    public func fault(_ message: OSLogMessage) { write(message, "critical") }

    private func write(_ message: OSLogMessage, _ level: String) {
        LogOutput.write(message.text, level: level, label: subsystem, source: category)
    }
}

/// How serious a message is.
///
/// Source: os, iOS 27 SDK.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The original's number.
    public let rawValue: UInt8
    /// Takes the original's number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// As ``Logger/notice(_:)``.
    public static let `default` = OSLogType(rawValue: 0)
    /// As ``Logger/info(_:)``.
    public static let info = OSLogType(rawValue: 1)
    /// As ``Logger/debug(_:)``.
    public static let debug = OSLogType(rawValue: 2)
    /// As ``Logger/error(_:)``.
    public static let error = OSLogType(rawValue: 16)
    /// As ``Logger/fault(_:)``.
    public static let fault = OSLogType(rawValue: 17)

    /// swift-log's word for it.
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

    /// The log of a category.
    public init(subsystem: String, category: String) { (self.subsystem, self.category) = (subsystem, category) }

    /// The log without a category.
    public static let `default` = OSLog(subsystem: "", category: "default")
}

/// Writes a message.
public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
    Logger(log).log(level: type, message)
}

/// Writes a message of level `notice`.
public func os_log(_ message: OSLogMessage) { Logger().log(message) }
