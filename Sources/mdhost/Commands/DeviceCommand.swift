import ArgumentParser
import HostClient
import HostInterface

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Add devices by address, rename, merge and split them.",
        subcommands: [Add.self, Remove.self, Rename.self, Merge.self, Split.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add the devices at an address.",
            discussion: """
                For networks that block multicast, and for devices on other networks. mdhost asks the host directly for \
                every protocol its extensions support, remembers the devices it finds, and lists them like any other \
                device whenever they answer.
                """)

        @OptionGroup var common: CommonOptions

        @Argument(help: "HOST, HOST:PORT, [IPV6]:PORT, or a URL of the device.")
        var address: String

        @Option(help: "Its protocol, such as MPD or DLNA; optional if the device announces it.")
        var `protocol`: String?

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                let paths = try await connection.client.addDevice(address, protocolName: self.protocol)
                // The answer may be heard before the devices are.
                func devices() -> [ClientDevice] {
                    connection.view.sortedDevices.filter { paths.contains($0.path) && $0.addedAs != nil }
                }
                while devices().count < paths.count { try await connection.next() }
                if output.isJSON {
                    try output.json(devices())
                } else {
                    for device in devices() {
                        output.line(
                            "Added \(DisplayText.clean(device.name)) (\(DisplayText.clean(device.ways))).")
                    }
                }
                await connection.close()
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove an address that was added.",
            discussion: "A device that is also discovered stays in the list.")

        @OptionGroup var common: CommonOptions

        @Argument(help: "The address as it was added, or the device's name or id.", completion: .deviceNames)
        var device: String

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                let named = try? DeviceNaming.resolve(device, in: connection.view.sortedDevices)
                if let named, named.addedAs == nil {
                    throw HostError(
                        .invalidArgument, "\(named.name) was not added by address. It is discovered.")
                }
                let address = named?.addedAs ?? device
                try await connection.client.removeDevice(address)
                if output.isJSON {
                    struct Result: Encodable { var address: String, removed: Bool }
                    try output.json(Result(address: address, removed: true))
                } else {
                    output.line("Removed \(DisplayText.clean(address)).")
                }
                await connection.close()
            }
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Give a device your own name.",
            discussion: "An empty name restores its own: mdhost device rename \"Kitchen\" \"\".")

        @OptionGroup var common: CommonOptions

        @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
        var device: String

        @Argument(help: "The new name.")
        var name: String

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                let device = try await connection.device(named: device)
                try await connection.client.rename(device.path, to: name)
                func renamed() -> ClientDevice? { connection.view.devices[device.id] }
                // The answer may be heard before the change is.
                let trimmed = name.trimmed
                let wanted = trimmed.isEmpty ? device.deviceName : trimmed
                while renamed().map({ $0.name != wanted }) ?? false { try await connection.next() }
                if output.isJSON {
                    try output.json(renamed() ?? device)
                } else {
                    output.line("\(DisplayText.clean(device.name)) is now \(DisplayText.clean(wanted)).")
                }
                await connection.close()
            }
        }
    }
}

extension String {
    /// Without blanks at both ends, as the daemon stores a name.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
