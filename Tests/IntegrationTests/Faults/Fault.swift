/// Everything that may go wrong and has to be survived; the table has at least one line of each.
enum Fault: String, CaseIterable, Sendable {
    case extensionKilled = "extension killed"
    case extensionHung = "extension hung"
    case extensionStopped = "extension stopped (SIGSTOP)"
    case extensionLeaking = "extension leaking to its limit"
    case extensionSpeakingGarbage = "extension speaking garbage"
    case extensionAnsweringLate = "extension answering late"
    case extensionAnsweringTwice = "extension answering twice"
    case extensionExitingAtStart = "extension exiting at start"
    case extensionOfOlderSDK = "extension of an older SDK"
    case extensionOfNewerSDK = "extension of a newer SDK"
    case daemonKilled = "daemon killed (kill -9)"
    case avahiRestarted = "Avahi killed and restarted"
    case cableCut = "receiver's cable cut"
    case powerCut = "receiver's power cut"
    case addressChanged = "receiver's address changed"
    case renamed = "receiver renamed"
    case interfaceDown = "interface down and up"
}

/// The result of one fault.
struct FaultReport: Sendable, Hashable {
    var fault: Fault
    /// The circumstances, if they matter; empty otherwise.
    var circumstance = ""
    /// The product's reports meanwhile, in order: the place and the text of each.
    var seen: [Remark] = []
    /// The time from the fault to its first report; `nil` if there was none.
    var notice: Duration?
    /// The time from the end of the disturbance, which for most is its beginning, until everything is as before.
    var recovery: Duration
    /// Acknowledged facts that no longer hold, in sentences.
    var lost: [String] = []
    /// Further notes: state lost by the receiver itself, or playback given up with a report.
    var notes: [String] = []

    struct Remark: Sendable, Hashable {
        /// The command, or the part of its table.
        var place: String
        var text: String
    }
}

/// All that was reported of faults, as a table; a value.
struct FaultTable: Sendable {
    private(set) var reports: [FaultReport] = []

    mutating func add(_ report: FaultReport) { reports.append(report) }

    /// The faults without a report.
    var missing: [Fault] { Fault.allCases.filter { fault in !reports.contains { $0.fault == fault } } }

    struct Row: Sendable, Hashable {
        var fault: String
        var count: Int
        var seen: String
        var notice: String
        var recovery: String
        var lost: String

        var cells: [String] { [fault, String(count), seen, notice, recovery, lost] }
    }

    static let headings = ["Fault", "Times", "What a person sees", "Seen after", "Recovered after", "Lost"]

    /// One for each fault and circumstance, in the order of ``Fault``, then of the reports.
    var rows: [Row] {
        Fault.allCases.flatMap { fault in
            let ofFault = reports.filter { $0.fault == fault }
            let circumstances = ofFault.map(\.circumstance).uniqued
            return circumstances.map { circumstance in Self.row(ofFault.filter { $0.circumstance == circumstance }) }
        }
    }

    private static func row(_ reports: [FaultReport]) -> Row {
        let first = reports[0]
        let remarks = reports.flatMap(\.seen).uniqued
        let seen = remarks.map(\.place).uniqued.map { place in
            "\(place): " + remarks.filter { $0.place == place }.map(\.text).joined(separator: " → ")
        }
        let lost = reports.flatMap(\.lost).uniqued
        let notes = reports.flatMap(\.notes).uniqued.map { " (\($0))" }.joined()
        return Row(
            fault: first.circumstance.isEmpty ? first.fault.rawValue : "\(first.fault.rawValue), \(first.circumstance)",
            count: reports.count, seen: seen.isEmpty ? "nothing" : seen.joined(separator: "; "),
            notice: span(reports.compactMap(\.notice)), recovery: span(reports.map(\.recovery)),
            lost: (lost.isEmpty ? "nothing" : lost.joined(separator: "; ")) + notes)
    }

    /// `0.3 s`; with several `0.3 to 1.2 s`.
    private static func span(_ durations: [Duration]) -> String {
        guard let least = durations.min(), let most = durations.max() else { return "–" }
        let texts = [least, most].map { seconds($0) }.uniqued
        return texts.joined(separator: " to ") + " s"
    }

    private static func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    var markdown: String {
        func line(_ cells: [String]) -> String {
            "| " + cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ")
                + " |"
        }
        let lines = [line(Self.headings), line(Self.headings.map { _ in "---" })] + rows.map { line($0.cells) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For a terminal of any width: a block a fault.
    var text: String {
        rows.map { row in
            """
            \(row.fault) (\(row.count)×)
                seen       \(row.seen)
                after      \(row.notice), recovered after \(row.recovery)
                lost       \(row.lost)
            """
        }.joined(separator: "\n") + "\n"
    }
}

extension Sequence where Element: Hashable {
    /// Each once, where it was first.
    var uniqued: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
