import ArgumentParser
import HostClient
import HostInterface

extension ExtensionCommand {
    struct Logs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "logs", abstract: "Show the output of an extension.",
            discussion: """
                Also what a process printed that has crashed since. The daemon keeps the newest 1000 lines of each \
                extension for as long as it runs.
                """)

        @OptionGroup var common: CommonOptions

        @Argument(
            help: "Name, unique beginning of a name, or identifier of the extension.", completion: .extensionNames)
        var name: String

        @Flag(name: .shortAndLong, help: "Keep printing new lines, until Ctrl-C.")
        var follow = false

        @Option(name: [.short, .customLong("lines")], help: "Number of earlier lines to print.")
        var lines = 50

        func validate() throws {
            guard lines >= 0 else { throw ValidationError("--lines takes a number from 0 on.") }
        }

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                let status = try connection.extension(named: name)
                let screen = LogScreen(output: output, identifier: status.id)
                if follow {
                    try await follow(status, screen, &connection)
                } else {
                    let lines = try await connection.client.log(of: status.objectPath, last: lines)
                    if lines.isEmpty, !output.isJSON {
                        output.notice("\(DisplayText.clean(status.name)) has printed nothing.")
                    }
                    try screen.show(lines)
                }
                await connection.close()
            }
        }

        private func follow(
            _ status: ClientExtension, _ screen: LogScreen, _ connection: inout HostConnection
        ) async throws {
            connection.inputs.addSignals()
            let (begin, news) = try await connection.client.followLog(of: status.objectPath, last: lines)
            connection.inputs.add(log: news)
            try screen.show(begin)
            while true {
                switch try await connection.next() {
                case .log(let batch):
                    if batch.skipped > 0 { screen.tell("\(batch.skipped) lines were not kept") }
                    try screen.show(batch.lines)
                case .host(.extensionRemoved(let gone)) where gone.id == status.id:
                    screen.tell("\(DisplayText.clean(status.name)) is no longer installed")
                    return
                case .interrupted: return
                default: break
                }
            }
        }
    }
}

/// Shows lines of a log: coloured by level for a person, JSON Lines with `--json`.
struct LogScreen {
    /// One line of `extension logs --json`.
    private struct Entry: Encodable {
        var `extension`: String
        var sequence: Int
        var time: Double
        var level: String
        var generation: Int
        var isFromHost: Bool
        var text: String
    }

    let output: Output
    /// The identifier of the extension.
    let identifier: String

    func show(_ lines: [ClientLogLine]) throws {
        for line in lines {
            if output.isJSON {
                try output.json(
                    Entry(
                        extension: identifier, sequence: line.sequence, time: line.time, level: line.level,
                        generation: line.generation, isFromHost: line.isFromHost, text: line.text))
            } else {
                output.line(Self.text(line) { $0($1) })
            }
        }
    }

    func tell(_ remark: String) { output.notice(Style.warning("note: ", on: .errors) + remark) }

    /// `12:30:05.120 warning  text`, in the time of this place.
    static func text(_ line: ClientLogLine, style: (Style, String) -> String) -> String {
        let level = DisplayText.pad(DisplayText.fit(DisplayText.clean(line.level), 8), 8)
        let text = DisplayText.line(line.text)
        return style(.dim, ClockTime.ofDay(line.time)) + " "
            + (Self.style(line.level).map { style($0, level) } ?? level)
            + " " + (line.isFromHost ? style(.accent, text) : text)
    }

    private static func style(_ level: String) -> Style? {
        switch level {
        case "critical", "error": .bad
        case "warning": .warning
        case "trace", "debug": .dim
        default: nil
        }
    }
}
