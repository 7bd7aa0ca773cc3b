import ArgumentParser
import HostClient
import HostInterface
import Reachability

struct DiscoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "List every device nearby.",
        discussion: """
            Devices appear as they are found. The command ends when every device listed as ready has answered and \
            newcomers had time to: at once while another program looks or did so within the last ten seconds, else \
            after about a second. The first time it takes ten seconds where this computer has Bluetooth.

            STATE is "ready" for a device that answered within the last seconds, "checking" while it is asked, \
            "remembered" for one that has not answered, and "unreachable" for one in use that has stopped answering.
            """)

    @OptionGroup var common: CommonOptions

    @Flag(help: "Stay, and show devices as they come and go, until Ctrl-C.")
    var watch = false

    @Flag(help: "List what is known now, and do not wait for devices to answer.")
    var known = false

    @Flag(help: "Print a line for each device, with its ID, name, protocols and state between tabs.")
    var plain = false

    @Option(help: "Look for at most this many seconds.")
    var timeout: Double = 15

    func validate() throws {
        guard timeout.isFinite, timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout takes seconds above 0 and at most 86400.")
        }
        guard !(watch && known) else { throw ValidationError("--watch and --known exclude each other.") }
        guard !(plain && (watch || common.json)) else {
            throw ValidationError("--plain can't be used with --watch or --json.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let lease = try await connection.takeLease()
            connection.inputs.addSignals()
            if !watch { connection.inputs.addDeadline(after: .seconds(timeout)) }
            var screen = DiscoveryScreen(output: output, isWatching: watch, isPlain: plain)
            try screen.start(connection.view)
            var isInterrupted = false
            looking: while !known, watch || !connection.view.isSettled(lease) {
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
        // Show each remedy once, even if several problems have it.
        for remedy in Set(problems.compactMap(\.remedy)).sorted() {
            output.notice(Style.dim("      " + remedy, on: .errors))
        }
        if view.devices.isEmpty, problems.isEmpty, !output.isJSON {
            let addresses = (try? InterfaceAddress.all()) ?? []
            let empty = EmptyDiscovery(extensions: view.sortedExtensions, addresses: addresses)
            for line in empty.lines { output.notice(line) }
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
