import ArgumentParser
import HostClient
import HostInterface

struct VolumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volume", abstract: "Show or change a device's volume.",
        discussion: """
            A level is 0 to 100; +5 and -5 are relative (write -- before a minus). Each device has its own; with --group those \
            that are used together move in proportion, and the loudest gets the level.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Argument(help: "0 to 100, or a step such as +5 or -5.")
    var level: String?

    @Flag(help: "The level of everything the device is used together with.")
    var group = false

    func validate() throws {
        guard level.map({ VolumeChange($0) == nil }) != true else {
            throw ValidationError("“\(level ?? "")” is no level; write 0 to 100, +5 or -5.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            var device = try await connection.device(named: device)
            if let change = level.flatMap(VolumeChange.init) {
                try await connection.answerPrompts()
                switch change {
                case .level(let level): try await set(level, device, connection.client)
                case .steps(let percent) where device.volumeControl == "relative":
                    if group {
                        try await connection.client.changeGroupVolume(by: percent, device: device.path)
                    } else {
                        try await connection.client.changeVolume(by: percent, device: device.path)
                    }
                case .steps(let percent):
                    try await set((level(of: device) ?? 0) + Double(percent) / 100, device, connection.client)
                }
                device = connection.view.devices[device.id] ?? device
            }
            try tell(device, output)
            await connection.close()
        }
    }

    private func level(of device: ClientDevice) -> Double? {
        group ? device.groupVolume ?? device.volume : device.volume
    }

    private func set(_ level: Double, _ device: ClientDevice, _ client: HostClient) async throws(HostError) {
        if group {
            try await client.setGroupVolume(level, device: device.path)
        } else {
            try await client.setVolume(level, device: device.path)
        }
    }

    private func tell(_ device: ClientDevice, _ output: Output) throws {
        if output.isJSON {
            struct Result: Encodable { var device: String, volume: Double?, muted: Bool }
            return try output.json(Result(device: device.id, volume: level(of: device), muted: device.isMuted))
        }
        guard level == nil else { return }
        let level = level(of: device).map(StatusCommand.percent) ?? "not known"
        output.line(device.isMuted ? "\(level), muted" : level)
    }
}

/// A level or a step, as a person writes it.
enum VolumeChange: Equatable {
    /// `0.0...1.0`.
    case level(Double)
    /// Percent for absolute devices, steps for relative ones.
    case steps(Int32)

    init?(_ text: String) {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        if let sign = digits.first, sign == "+" || sign == "-" {
            guard let steps = Int32(digits), (-100...100).contains(steps) else { return nil }
            self = .steps(steps)
        } else {
            guard let percent = Double(digits), (0...100).contains(percent) else { return nil }
            self = .level(percent / 100)
        }
    }
}

struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mute", abstract: "Mute or unmute a device.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Flag(help: "Let it be heard again.")
    var off = false

    @Flag(help: "Everything the device is used together with.")
    var group = false

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let device = try await connection.device(named: device)
            try await connection.answerPrompts()
            if group {
                try await connection.client.setGroupMuted(!off, device: device.path)
            } else {
                try await connection.client.setMuted(!off, device: device.path)
            }
            if output.isJSON {
                struct Result: Encodable { var device: String, muted: Bool }
                try output.json(Result(device: device.id, muted: !off))
            }
            await connection.close()
        }
    }
}
