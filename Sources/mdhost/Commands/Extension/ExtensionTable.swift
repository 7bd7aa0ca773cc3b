import HostClient
import HostInterface

/// Extensions as a table for people; a value without I/O.
struct ExtensionTable {
    let extensions: [ClientExtension]
    /// `CLOCK_MONOTONIC` in seconds.
    let now: Double

    func lines(width: Int, terminal: Terminal = .output) -> [String] {
        let rows = extensions.map { status in
            [
                Table.Cell(DisplayText.clean(status.name), .heading), Table.Cell(DisplayText.clean(status.version)),
                Table.Cell(DisplayText.clean(status.protocolName)),
                Table.Cell(Self.state(status, now: now), Self.style(status.state)),
                Table.Cell(status.processID.map(String.init) ?? "", .dim),
                Table.Cell(status.usage.map(Self.memory) ?? ""),
                Table.Cell(status.usage.map { Self.processorTime($0.processorTime) } ?? ""),
                Table.Cell(String(status.restarts), .dim),
                Table.Cell(DisplayText.clean(status.lastError ?? ""), .bad),
            ]
        }
        let headings = [
            "NAME", "VERSION", "PROTOCOL", "STATE", "PROCESS", "MEMORY", "CPU", "RESTARTS", "LAST ERROR",
        ]
        return Table(headings: headings, rows: rows).lines(width: width) { $0($1, on: terminal) }
    }

    /// `running`; `crashed, retry in 4 s`.
    static func state(_ status: ClientExtension, now: Double) -> String {
        guard status.state == "crashed", let retryAt = status.retryAt else { return DisplayText.clean(status.state) }
        return "crashed, retry in \(Int(min(86_400, max(0, retryAt - now)).rounded(.up))) s"
    }

    static func style(_ state: String) -> Style {
        switch state {
        case "running": .good
        case "idle", "disabled": .dim
        case "starting": .warning
        default: .bad
        }
    }

    /// Returns the memory used by the extension alone if the system reports it, otherwise all memory it uses: `12.3
    /// MB`.
    static func memory(_ usage: ClientExtension.Usage) -> String { megabytes(usage.proportionalMemory ?? usage.memory) }

    static func megabytes(_ bytes: Int) -> String { "\(tenths(Double(max(0, bytes)) / 1e6)) MB" }

    /// `0.4 s`, from a minute on `1:02`.
    static func processorTime(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0 else { return "" }
        return seconds < 60 ? "\(tenths(seconds)) s" : ClockTime.text(seconds)
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int(exactly: (value * 10).rounded()) ?? 0
        return "\(tenths / 10).\(tenths % 10)"
    }
}
