import ArgumentParser
import HostClient
import HostInterface

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sessions", abstract: "List the playback sessions.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            let sessions = connection.view.sortedSessions
            if output.isJSON {
                try output.json(sessions)
            } else if sessions.isEmpty {
                output.notice("Nothing plays.")
            } else {
                let rows = sessions.map { session in
                    let playback = session.playback
                    return [
                        Table.Cell(session.id, .heading),
                        Table.Cell(DisplayText.clean(connection.view.names(of: session))),
                        Table.Cell(Self.word(session), playback.isPlaying ? .good : .dim),
                        Table.Cell(session.place(at: monotonicSeconds(), of: " / ")),
                        Table.Cell(DisplayText.clean(session.title.isEmpty ? session.source : session.title)),
                    ]
                }
                let width = Terminal.output.isInteractive ? Terminal.output.width : .max
                let table = Table(headings: ["SESSION", "DEVICE", "STATE", "POSITION", "TITLE"], rows: rows)
                for line in table.lines(width: width, style: { $0($1) }) { output.line(line) }
            }
            await connection.close()
        }
    }

    static func word(_ session: ClientSession) -> String {
        guard session.state == "active" else { return session.state }
        if session.playback.isBuffering { return "buffering" }
        return session.playback.isPlaying ? "playing" : "paused"
    }
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the daemon, or one device and what plays on it.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String?

    @Flag(name: .shortAndLong, help: "Also show every device in use and its sound quality.")
    var verbose = false

    /// `status` with `--json`.
    private struct Report: Encodable {
        var daemon: ClientManager?
        var devices: [ClientDevice]
        var sessions: [ClientSession]
        var extensions: [ClientExtension]
    }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            var devices = connection.view.sortedDevices
            if let device { devices = [try await connection.device(named: device)] }
            let view = connection.view
            let sessions = view.sortedSessions.filter { session in
                devices.contains { session.devices.contains($0.path) }
            }
            if output.isJSON {
                try output.json(
                    Report(
                        daemon: view.manager, devices: devices, sessions: sessions,
                        extensions: device == nil ? view.sortedExtensions : []))
            } else if device == nil {
                summarise(view, output)
                for device in devices where verbose && device.activation != "idle" {
                    output.line("")
                    describe(device, view, sessions.filter { $0.devices.contains(device.path) }, output)
                }
            } else {
                for device in devices { describe(device, view, sessions, output) }
            }
            await connection.close()
        }
    }

    private func summarise(_ view: HostView, _ output: Output) {
        let manager = view.manager
        output.line("daemon      \(manager?.version ?? ""), process \(manager?.processID ?? 0)")
        output.line(
            "extensions  \(view.extensions.count) installed, \(view.extensions.values.count { $0.state == "running" }) running"
        )
        output.line(
            "devices     \(view.devices.count) known, \(view.devices.values.count { $0.activation == "active" }) in use"
        )
        let returning = view.sessions.values.count { $0.state == "reconnecting" }
        output.line("sessions    \(view.sessions.count)" + (returning > 0 ? ", \(returning) reconnecting…" : ""))
        for problem in manager?.problems ?? [] { output.line("problem     \(DisplayText.clean(problem.message))") }
    }

    private static func state(_ device: ClientDevice) -> String {
        let state = DeviceTable.state(device).text
        return device.isPaired && !state.hasSuffix(", paired") ? state + ", paired" : state
    }

    static func percent(_ level: Double) -> String { "\(Int((level * 100).rounded())) %" }

    private func describe(_ device: ClientDevice, _ view: HostView, _ sessions: [ClientSession], _ output: Output) {
        var rows = [
            ("name", device.name), ("id", device.id), ("kind", DeviceTable.kind(device.type)),
            ("via", device.ways),
            ("address", device.endpoints.joined(separator: ", ")), ("can", device.capabilities.joined(separator: ", ")),
            ("latency", device.leastLatency.map { "from \(LatencyOption.text($0)) for live sound" } ?? ""),
            ("state", Self.state(device)),
            ("volume", device.volume.map { "\(Self.percent($0))\(device.isMuted ? ", muted" : "")" } ?? ""),
            (
                "group",
                device.group.compactMap { view.devices[$0]?.name }.joined(separator: " + ")
                    + (device.groupVolume.map { ", \(Self.percent($0))" } ?? "")
            ),
        ]
        if !device.members.isEmpty {
            let members = device.members.map { "\($0.name) \($0.isMuted ? "muted" : Self.percent($0.volume ?? 0))" }
            rows.append(("members", members.joined(separator: ", ")))
        }
        if sessions.isEmpty, let activity = device.activity {
            rows.append(("playing", "\(activity), started by another sender"))
        }
        for part in device.parts { rows.append((part.id == device.parts[0].id ? "made of" : "and", describe(part))) }
        for session in sessions {
            let origin = session.isOthers ? ", started by another sender" : ""
            rows.append(("playing", "\(session.title) \(session.subtitle)\(origin)"))
            let place = session.place(at: monotonicSeconds(), of: " of ")
            rows.append(
                ("position", [place, SessionsCommand.word(session)].filter { !$0.isEmpty }.joined(separator: ", ")))
            if verbose, let quality = session.quality { rows.append(("quality", Self.text(quality))) }
        }
        if let application = device.playingApplicationName { rows.append(("used by", application)) }
        if let passed = device.lastDeliveryPassed {
            rows.append(("live sound", "\(passed ? "met" : "missed") its quality thresholds the last time"))
        }
        if let error = device.lastError { rows.append(("last error", error.message)) }
        for (key, value) in rows where !value.isEmpty {
            output.line(Style.dim(DisplayText.pad(key, 12)) + DisplayText.clean(value))
        }
    }

    /// Returns the delivery problems on the way to the device, or a text for none.
    static func text(_ quality: DeliveryQuality) -> String {
        let counts = [
            "\(quality.packetsSent) packets", "\(quality.packetsLate) late", "\(quality.packetsLost) lost",
            "\(quality.packetsResent) sent again", "\(quality.stalls) stalls",
        ]
        let tenths = Int((min(quality.latency, 1e6) * 10).rounded())
        return counts.joined(separator: ", ") + ", \(tenths / 10).\(tenths % 10) s behind"
    }

    /// A part of a merged device.
    private func describe(_ part: DevicePart) -> String {
        let address = part.endpoints.first.map { " at \($0)" } ?? ""
        let state = part.activation == "idle" ? part.availability : "\(part.availability), \(part.activation)"
        let marks = [part.isPaired ? "paired" : nil, part.isDeclared ? "says it is the same" : nil].compactMap { $0 }
        return ["\(part.protocolName): \(part.name)\(address)", state, part.id.prefix(8).lowercased()]
            .joined(separator: ", ") + marks.map { ", " + $0 }.joined() + (part.isCurrent ? " ←" : "")
    }
}
