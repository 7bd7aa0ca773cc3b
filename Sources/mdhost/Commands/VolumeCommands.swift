import ArgumentParser
import HostClient
import HostInterface

struct VolumeCommand: AsyncParsableCommand, TakesSignedNumbers {
    static let configuration = CommandConfiguration(
        commandName: "volume", abstract: "Show or change a device's volume.",
        discussion: """
            A level is 0 to 100; +5 and -5 are relative. Each device has its own; with --group the devices of its group \
            move in proportion, and the loudest gets the level.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Argument(help: "0 to 100, or a step such as +5 or -5.")
    var level: String?

    @Flag(help: "Show or change the volume of the whole group.")
    var group = false

    func validate() throws {
        guard let level else { return }
        if let advice = VolumeChange.advice(on: level) { throw ValidationError(advice) }
        guard VolumeChange(level) != nil else {
            throw ValidationError("“\(level)” isn't a level. Use 0 to 100, +5 or -5.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            var device = try await connection.device(named: device)
            if let change = level.flatMap(VolumeChange.init) {
                let request = VolumeRequest(change: change, device: device, isForGroup: group)
                try await connection.settle { [client = connection.client] () throws(HostError) in
                    try await request.send(to: client)
                }
                device = connection.view.devices[device.id] ?? device
            }
            try tell(device, output)
            await connection.close()
        }
    }

    private func tell(_ device: ClientDevice, _ output: Output) throws {
        if output.isJSON {
            struct Result: Encodable { var device: String, volume: Double?, muted: Bool }
            return try output.json(
                Result(device: device.id, volume: device.level(ofGroup: group), muted: device.isMuted))
        }
        guard level == nil else { return }
        let level = device.level(ofGroup: group).map(StatusCommand.percent) ?? device.unknownLevel
        output.line(device.isMuted ? "\(level), muted" : level)
        if device.volumeControl == "absolute", device.level(ofGroup: group) == nil {
            let name = DisplayText.clean(device.name)
            output.notice("\(name) reports its volume once it is in use. To set it: `mdhost volume \"\(name)\" 30`.")
        }
    }
}

extension ClientDevice {
    /// `0.0...1.0`, of the device or of its group; `nil` if it isn't known.
    fileprivate func level(ofGroup: Bool) -> Double? { ofGroup ? groupVolume ?? volume : volume }

    /// The text in place of an unknown level.
    var unknownLevel: String {
        switch volumeControl {
        case "relative": "steps only"
        case "none": "no volume control"
        default: "not known"
        }
    }
}

/// A change of a device's volume, in the form of the daemon's request.
private struct VolumeRequest: Sendable {
    /// The size of one daemon step on a device with absolute levels, in percent.
    private static let step: Int32 = 5

    let change: VolumeChange
    let device: ClientDevice
    let isForGroup: Bool

    func send(to client: HostClient) async throws(HostError) {
        switch change {
        case .level where device.volumeControl == "relative" && !isForGroup:
            throw HostError(
                .notSupported, "\(device.name) takes volume steps only.",
                remedy: "Use a step: `mdhost volume \"\(device.name)\" +1`, or -1.")
        case .level(let level): try await set(level, client)
        case .steps(let steps) where device.volumeControl == "relative": try await move(by: steps, client)
        case .steps(let percent):
            if let level = device.level(ofGroup: isForGroup) {
                try await set(level + Double(percent) / 100, client)
            } else if percent.isMultiple(of: Self.step) {
                // The daemon asks the device for its level first.
                try await move(by: percent / Self.step, client)
            } else {
                throw HostError(
                    .notSupported, "The volume of \(device.name) isn't known yet.",
                    remedy: "Use a level, or a step that is a multiple of \(Self.step).")
            }
        }
    }

    private func set(_ level: Double, _ client: HostClient) async throws(HostError) {
        if isForGroup {
            try await client.setGroupVolume(level, device: device.path)
        } else {
            try await client.setVolume(level, device: device.path)
        }
    }

    private func move(by steps: Int32, _ client: HostClient) async throws(HostError) {
        if isForGroup {
            try await client.changeGroupVolume(by: steps, device: device.path)
        } else {
            try await client.changeVolume(by: steps, device: device.path)
        }
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

    /// A sentence about a fraction of one, which is hardly meant as less than 1 %; `nil` for anything else. With a percent
    /// sign it is meant.
    static func advice(on text: String) -> String? {
        guard let fraction = Double(text), fraction > 0, fraction < 1, text.first != "+" else { return nil }
        let percent = max(1, Int((fraction * 100).rounded()))
        return "“\(text)” is less than 1 %. A level is 0 to 100: use \(percent) for \(percent) %."
    }
}

struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mute", abstract: "Mute or unmute a device.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Flag(help: "Unmute.")
    var off = false

    @Flag(help: "Mute or unmute the whole group.")
    var group = false

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let device = try await connection.device(named: device)
            try await connection.settle { [client = connection.client, group, off] () throws(HostError) in
                if group {
                    try await client.setGroupMuted(!off, device: device.path)
                } else {
                    try await client.setMuted(!off, device: device.path)
                }
            }
            if output.isJSON {
                struct Result: Encodable { var device: String, muted: Bool }
                try output.json(Result(device: device.id, muted: !off))
            }
            await connection.close()
        }
    }
}
