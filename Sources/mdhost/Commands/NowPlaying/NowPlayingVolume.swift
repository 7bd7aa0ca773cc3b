import ArgumentParser
import HostClient
import HostInterface

struct NowPlayingVolume: AsyncParsableCommand, TakesSignedNumbers {
    static let configuration = CommandConfiguration(
        commandName: "volume", abstract: "Show or change the volume of a session on a device.",
        discussion: """
            A level is 0 to 100; +5 and -5 are relative: percent if the device has a level, steps if it only has louder and \
            quieter.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption

    @Argument(help: "0 to 100, or a step such as +5 or -5.")
    var level: String?

    @Option(help: "One of the devices the session plays on: its name or id.")
    var device: String?

    func validate() throws {
        guard level.map({ VolumeChange($0) == nil }) != true else {
            throw ValidationError("“\(level ?? "")” isn't a level. Use 0 to 100, +5 or -5.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            let session = try connection.mediaSession(target)
            let change = level.flatMap(VolumeChange.init)
            if let device = try RemoteDevices(session).meant(by: device) {
                try await set(change, device, session, connection.client)
                try tell(device, session, output)
                return await connection.close()
            }
            guard var volume = session.volume else {
                throw HostError(.notSupported, "The volume of \(session.name) is set in the app.")
            }
            if let change {
                switch change {
                case .level(let level): volume = level
                case .steps(let percent): volume = min(1, max(0, volume + Double(percent) / 100))
                }
                try await connection.client.setVolume(volume, media: session.path)
            }
            if output.isJSON {
                struct Result: Encodable { var session: String, volume: Double }
                try output.json(Result(session: session.id, volume: volume))
            } else if level == nil {
                output.line("\(Int((volume * 100).rounded())) %")
            }
            await connection.close()
        }
    }
}

extension NowPlayingVolume {
    private func set(
        _ change: VolumeChange?, _ device: MediaSessionDevice, _ session: ClientMediaSession, _ client: HostClient
    ) async throws(HostError) {
        switch (change, device.level) {
        case (nil, _): break
        case (.level(let level), .some): try await client.setVolume(level, device: device.id, media: session.path)
        case (.steps(let percent), let level?):
            let wanted = min(1, max(0, level + Double(percent) / 100))
            try await client.setVolume(wanted, device: device.id, media: session.path)
        case (.steps(let steps), nil) where device.isStepped:
            try await client.stepVolume(steps, device: device.id, media: session.path)
        case (.level, nil) where device.isStepped:
            throw HostError(.notSupported, "\(device.name) takes steps only, such as +2.")
        default: throw HostError(.notSupported, "The volume of \(device.name) can't be changed here.")
        }
    }

    private func tell(_ device: MediaSessionDevice, _ session: ClientMediaSession, _ output: Output) throws {
        if output.isJSON {
            struct Result: Encodable { var session, device: String, volume: Double? }
            try output.json(Result(session: session.id, device: device.id, volume: device.level))
        } else if level == nil {
            output.line(device.level.map { "\(Int(($0 * 100).rounded())) %" } ?? "steps only")
        }
    }
}

/// The devices of a session, of which a command means one: a value without I/O.
struct RemoteDevices {
    private let session: ClientMediaSession
    private let devices: [MediaSessionDevice]

    init(_ session: ClientMediaSession) {
        self.session = session
        devices = session.state.devices ?? []
    }

    /// - Returns: `nil` if the one volume of all is meant.
    /// - Throws: ``HostError`` `no-such-device`, or `ambiguous-name` if several devices have steps only.
    func meant(by name: String?) throws(HostError) -> MediaSessionDevice? {
        guard let name else {
            guard session.volume == nil else { return nil }
            let stepped = devices.filter(\.isStepped)
            guard stepped.count < 2 else {
                throw HostError(
                    .ambiguousName,
                    "\(session.name) plays on \(stepped.map(\.name).joined(separator: ", ")). Name one with --device.")
            }
            return stepped.first
        }
        let fitting = devices.filter { $0.id == name || $0.name.lowercased() == name.lowercased() }
        guard let device = fitting.first else {
            throw HostError(.noSuchDevice, "\(session.name) doesn't play on “\(name)”.")
        }
        guard fitting.count == 1 else {
            throw HostError(.ambiguousName, "Several devices are called “\(name)”. Use an id.")
        }
        return device
    }
}

struct NowPlayingSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show or change how sessions affect each other.")

    @OptionGroup var common: CommonOptions

    @Flag(
        inversion: .prefixedNo, help: "Pause a playing app when another session starts and replaces it."
    )
    var pauseOthers: Bool?

    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            if let pauseOthers { try await connection.client.setPausesOthers(pauseOthers) }
            let value = pauseOthers ?? connection.view.nowPlaying?.pausesOthers ?? false
            if output.isJSON {
                struct Result: Encodable { var pauseOthers: Bool }
                try output.json(Result(pauseOthers: value))
            } else if pauseOthers == nil {
                output.line("pause-others  \(value ? "on" : "off")")
            }
            await connection.close()
        }
    }
}
