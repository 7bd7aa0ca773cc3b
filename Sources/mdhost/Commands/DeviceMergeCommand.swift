import ArgumentParser
import HostClient
import HostInterface

extension DeviceCommand {
    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge", abstract: "Merge several entries of the list into one device.",
            discussion: """
                For a device that is found by more than one protocol, such as a receiver that speaks DLNA and MPD. The first \
                one named lends its name and id and is what plays; the others take over, in order, while it is not there or \
                where it cannot do what is asked. Nothing is forgotten: mdhost device split undoes it. To have another one \
                come first, merge them again in that order.

                Two entries of one protocol are usually two devices; mdhost asks before it merges them, or requires --force \
                where it can't ask.
                """)

        @OptionGroup var common: CommonOptions

        @Argument(
            help: "Name, unique beginning of a name, or id of each of them; the preferred one first.",
            completion: .deviceNames)
        var devices: [String]

        @Flag(help: "Merge entries of the same protocol without asking.")
        var force = false

        func validate() throws {
            guard devices.count > 1 else { throw ValidationError("Name at least two devices.") }
        }

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                var ids: [String] = []
                var named: [ClientDevice] = []
                for name in devices {
                    let device = try await connection.device(named: name)
                    named.append(device)
                    ids.append(DeviceNaming.part(name, of: device))
                }
                if !force { try await confirm(named, output) }
                let path = try await connection.client.merge(ids.map(HostNames.devicePath))
                // The answer may be heard before the change is.
                func merged() -> ClientDevice? {
                    connection.view.devices.values.first { device in
                        device.path == path && ids.allSatisfy { id in device.parts.contains { $0.id == id } }
                    }
                }
                while merged() == nil { try await connection.next() }
                if let device = merged() { try tell(device, output) }
                await connection.close()
            }
        }

        /// Asks before entries of one protocol become one device.
        private func confirm(_ devices: [ClientDevice], _ output: Output) async throws(HostError) {
            guard let twins = SameProtocol(devices) else { return }
            guard ConfirmationPrompt.isPossible, !output.isJSON else {
                throw HostError(
                    .invalidArgument, twins.sentence, remedy: "If they are one device, merge them with --force.")
            }
            output.notice(DisplayText.clean(twins.sentence))
            try await ConfirmationPrompt.confirm("Merge them anyway?", orElse: "Nothing was merged.")
        }

        private func tell(_ device: ClientDevice, _ output: Output) throws {
            if output.isJSON { return try output.json(device) }
            let parts = device.parts.map(\.protocolName)
            let list = parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
            output.line(
                DisplayText.clean("\(device.name) is one device now, reached by \(list); \(parts[0]) comes first."))
        }
    }

    struct Split: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "split", abstract: "Split a merged device into its parts.",
            discussion: """
                Each of them is in the list again by itself, with the id, the name and the pairing it had. They stay apart, \
                also where they declare to be one, until mdhost device merge says otherwise.
                """)

        @OptionGroup var common: CommonOptions

        @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
        var device: String

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                let device = try await connection.device(named: device)
                let paths = try await connection.client.split(device.path)
                // The answer may be heard before the change is.
                func seen() -> [ClientDevice] {
                    connection.view.sortedDevices.filter { paths.contains($0.path) && $0.parts.isEmpty }
                }
                while seen().count < paths.count { try await connection.next() }
                try tell(device, seen(), output)
                await connection.close()
            }
        }

        private func tell(_ device: ClientDevice, _ separate: [ClientDevice], _ output: Output) throws {
            if output.isJSON { return try output.json(separate) }
            let names = separate.map { "\($0.name) (\($0.protocolName))" }
            output.line(DisplayText.clean("Separate again: \(names.joined(separator: ", "))."))
            let absent = device.parts.filter { part in !separate.contains { $0.id == part.id } }
            guard !absent.isEmpty else { return }
            let missing = absent.map { "\($0.name) (\($0.protocolName))" }.joined(separator: ", ")
            output.line(DisplayText.clean("Not there now: \(missing)."))
        }
    }
}
