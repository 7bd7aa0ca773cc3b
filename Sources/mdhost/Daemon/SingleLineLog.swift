import HostInterface
import Logging

/// Writes every message as one line that no terminal interprets.
///
/// Messages contain names from the network and texts of extensions: a line break in one would forge the next line, and an
/// escape sequence would be obeyed by the terminal that shows the log.
struct SingleLineLogHandler<Base: LogHandler>: LogHandler {
    private var base: Base

    init(_ base: Base) { self.base = base }

    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue.mapValues(SingleLine.clean) }
    }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue.map(SingleLine.clean) }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(SingleLine.clean(event.message.description))"
        event.metadata = event.metadata?.mapValues(SingleLine.clean)
        base.log(event: event)
    }
}

/// Texts as one line that no terminal obeys.
private enum SingleLine {
    static func clean(_ value: Logger.MetadataValue) -> Logger.MetadataValue {
        switch value {
        case .string(let text): .string(clean(text))
        case .stringConvertible(let value): .string(clean("\(value)"))
        case .array(let values): .array(values.map(clean))
        case .dictionary(let entries):
            .dictionary(Dictionary(entries.map { (clean($0.key), clean($0.value)) }) { $1 })
        }
    }

    static func clean(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnsafe($0) ? "\u{FFFD}" : $0 }))
    }

    /// A report needs the marks of private text, and no terminal obeys them.
    private static let marks = Set(PrivateText.marked("").unicodeScalars)

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\t" && !marks.contains(scalar)
        case .lineSeparator, .paragraphSeparator: true
        // Direction overrides show a line in another order than it has; joiners make emoji.
        case .format: scalar.value != 0x200D && scalar.value != 0x200C
        default: false
        }
    }
}
