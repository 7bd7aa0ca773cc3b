import ArgumentParser
import HostClient
import HostInterface

struct SinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sink", abstract: "Let every program of this computer play to a device.",
        discussion: """
            A sink is an output in the desktop's sound settings, beside the sound card. The device plays everything that \
            programs play to its sink; it starts with the first sound and is released after ten seconds of silence. Needs \
            PipeWire or PulseAudio. The daemon keeps running while there is a sink, or new devices get sinks.
            """,
        subcommands: [List.self, Add.self, Follow.self, Remove.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the sinks.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                let sinks = try await connection.client.sinks()
                if output.isJSON {
                    try output.json(sinks)
                } else if sinks.isEmpty {
                    output.notice("No device has a sink.")
                } else {
                    let width = Terminal.output.isInteractive ? Terminal.output.width : .max
                    for line in SinkTable(sinks: sinks).lines(width: width) { output.line(line) }
                }
                if !output.isJSON, connection.view.manager?.sinksFollowDevices == true {
                    output.notice("New devices get sinks. To end this: mdhost sink follow --off")
                }
                await connection.close()
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a device to the desktop's sound settings.")

        @OptionGroup var common: CommonOptions

        @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
        var device: String?

        @Option(
            help: .init("Another device that plays together with it; repeat the option for more.", valueName: "device"),
            completion: .deviceNames)
        var with: [String] = []

        @Option(help: "Name of the sink of several devices.")
        var name: String?

        @Flag(help: "Add every device that is found and plays sound.")
        var all = false

        @OptionGroup var wished: LatencyOption

        func validate() throws {
            guard (device != nil) != all else { throw ValidationError("Name a device, or use --all.") }
            guard !all || wished.latency == nil, !all || with.isEmpty else {
                throw ValidationError("Use --latency and --with with a device, not with --all.")
            }
            guard name == nil || !with.isEmpty else { throw ValidationError("Use --name with --with.") }
        }

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                if let device {
                    let device = try await connection.device(named: device)
                    var others: [ClientDevice] = []
                    for other in with { others.append(try await connection.device(named: other)) }
                    try tell(
                        try await connection.client.addSink(
                            device.path, with: others.map(\.path), name: name, latency: try wished.requested), output)
                    LatencyOption.tell(try wished.requested, [device] + others, output)
                } else {
                    try await addAll(&connection, output)
                }
                await connection.close()
            }
        }

        private func addAll(_ connection: inout HostConnection, _ output: Output) async throws {
            let lease = try await connection.takeLease()
            connection.inputs.addDeadline(after: .seconds(15))
            while !connection.view.isSettled(lease) {
                if case .deadline = try await connection.next() { break }
            }
            var isNone = true
            for device in connection.view.sortedDevices where device.availability == "ready" {
                let sink: SoundSinkStatus
                do throws(HostError) {
                    sink = try await connection.client.addSink(device.path)
                } catch {
                    guard error.code == .notSupported else { throw error }
                    continue
                }
                try tell(sink, output)
                isNone = false
            }
            if isNone { output.notice("No device that plays sound was found.") }
        }

        private func tell(_ sink: SoundSinkStatus, _ output: Output) throws {
            if output.isJSON {
                try output.json(sink)
            } else {
                output.line(DisplayText.clean("\(sink.name) is a sink of \(sink.server)."))
            }
        }
    }
}

/// Sinks as a table for people.
struct SinkTable {
    let sinks: [SoundSinkStatus]

    func lines(width: Int) -> [String] {
        let rows = sinks.map { sink in
            [
                Table.Cell(DisplayText.clean(sink.name), .heading), Self.state(sink), Table.Cell(sink.server, .dim),
                Table.Cell(Self.delay(sink), .dim),
                Table.Cell(DisplayText.clean(sink.error?.message ?? "")),
            ]
        }
        return Table(headings: ["SINK", "STATE", "SERVER", "DELAY", "LAST ERROR"], rows: rows).lines(width: width) {
            $0($1)
        }
    }

    /// The sink that a person means by its whole name or by its id; `nil` for none, or several.
    static func named(_ text: String, in sinks: [SoundSinkStatus]) -> SoundSinkStatus? {
        let meant = sinks.filter {
            $0.name.lowercased() == text.lowercased() || $0.id.lowercased().hasPrefix(text.lowercased())
        }
        return meant.count == 1 ? meant.first : nil
    }

    private static func delay(_ sink: SoundSinkStatus) -> String {
        let parts = [
            sink.delay.map(LatencyOption.text),
            sink.requestedLatency.map { "(\(LatencyOption.text($0)) requested)" },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    private static func state(_ sink: SoundSinkStatus) -> Table.Cell {
        switch sink.state {
        case .ready: Table.Cell("ready", .good)
        case .starting: Table.Cell("starting", .warning)
        case .playing: Table.Cell("playing", .good)
        case .away: Table.Cell("device away", .bad)
        case .noServer: Table.Cell("no sound server", .bad)
        }
    }
}
