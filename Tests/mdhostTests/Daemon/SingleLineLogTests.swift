import HostInterface
import Logging
import Synchronization
import Testing

@testable import mdhost

@Suite struct SingleLineLogTests {
    private final class Lines: Sendable {
        let texts = Mutex<[String]>([])
    }

    private struct Recorder: LogHandler {
        let lines: Lines
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0)=\($1)" }.sorted()
            lines.texts.withLock { $0.append(([event.message.description] + values).joined(separator: " ")) }
        }
    }

    private func logged(_ body: (inout Logger) -> Void) -> [String] {
        let lines = Lines()
        var logger = Logger(label: "test") { _ in SingleLineLogHandler(Recorder(lines: lines)) }
        body(&logger)
        return lines.texts.withLock { $0 }
    }

    /// The name of a device, such as mDNS allows it.
    private static let forged = "Kitchen\n2026-11-25T10:00:00 error mdhost: all is lost\u{1B}[2J\u{9B}31m\u{202E}gnp"

    @Test func aNameForgesNoLineAndDrivesNoTerminal() {
        let lines = logged { logger in
            logger[metadataKey: "session"] = "a\rb"
            logger.warning(
                "found \(Self.forged)", metadata: ["name": .array([.string(Self.forged)]), "a": ["b\n": "c\u{7}"]])
        }
        #expect(lines.count == 1)
        let unsafe = lines.joined().unicodeScalars.filter {
            [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
        }
        #expect(unsafe.isEmpty, "\(lines)")
        #expect(lines[0].hasPrefix("found Kitchen\u{FFFD}2026"))
        #expect(lines[0].contains("a\u{FFFD}b") && lines[0].contains("c\u{FFFD}"))
    }

    @Test func ordinaryTextsAndMarksOfPrivateOnesStay() {
        let text = "Küche 👩‍👩‍👧\t" + PrivateText.marked("Song")
        #expect(logged { $0.warning("\(text)") } == [text])
    }
}
