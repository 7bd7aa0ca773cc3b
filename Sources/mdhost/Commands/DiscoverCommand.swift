import ArgumentParser
import HostClient
import HostInterface

struct DiscoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "List every device nearby.",
        discussion: """
            Devices appear as they are found. The command ends when the list is complete: after a moment when \
            nobody has looked for a while, which is ten seconds where this computer has Bluetooth, and at once otherwise.
            """)

    @OptionGroup var common: CommonOptions

    @Flag(help: "Stay, and show devices as they come and go, until Ctrl-C.")
    var watch = false

    @Option(help: "Look for at most this many seconds.")
    var timeout: Double = 15

    func validate() throws {
        guard timeout.isFinite, timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout takes seconds above 0 and at most 86400.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            _ = try await connection.client.takeLease()
            connection.inputs.addSignals()
            if !watch { connection.inputs.addDeadline(after: .seconds(timeout)) }
            var screen = DiscoveryScreen(output: output, isWatching: watch)
            try screen.start(connection.view)
            var isInterrupted = false
            looking: while watch || connection.view.manager?.isSettled != true {
                switch try await connection.next() {
                case .host(let event): try screen.show(event, connection.view)
                case .deadline: break looking
                case .interrupted:
                    isInterrupted = true
                    break looking
                default: break
                }
            }
            try screen.finish(connection.view)
            tellProblems(connection.view, output)
            await connection.close()
            if isInterrupted, !watch { throw ExitStatus.interrupted }
        }
    }

    private func tellProblems(_ view: HostView, _ output: Output) {
        let problems = view.manager?.problems ?? []
        for problem in problems {
            output.notice(Style.warning("note: ", on: .errors) + DisplayText.clean(problem.message))
        }
        // One of several problems of a kind is enough to say what to do.
        for remedy in Set(problems.compactMap(\.remedy)).sorted() {
            output.notice(Style.dim("      " + remedy, on: .errors))
        }
        if view.devices.isEmpty, problems.isEmpty, !output.isJSON {
            output.notice("No device was found. Is one on, and on the same network as this machine?")
        }
    }
}

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the devices known now, without looking for others.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            let devices = connection.view.sortedDevices
            if output.isJSON {
                try output.json(devices)
            } else if devices.isEmpty {
                output.notice("No device is known yet; `mdhost discover` looks for them.")
            } else {
                let width = Terminal.output.isInteractive ? Terminal.output.width : .max
                for line in DeviceTable(devices: devices).lines(width: width) { output.line(line) }
            }
            await connection.close()
        }
    }
}
