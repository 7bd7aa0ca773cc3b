import ArgumentParser
import HostClient
import HostInterface

struct NowPlayingVolume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volume", abstract: "Show or change the volume of what plays on a device.",
        discussion: "A level is 0 to 100; +5 and -5 are relative (write -- before a minus).")

    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption

    @Argument(help: "0 to 100, or a step such as +5 or -5.")
    var level: String?

    func validate() throws {
        guard level.map({ VolumeChange($0) == nil }) != true else {
            throw ValidationError("“\(level ?? "")” is no level; write 0 to 100, +5 or -5.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            let session = try connection.mediaSession(target)
            guard var volume = session.volume else {
                throw HostError(.notSupported, "The volume of \(session.name) is set in the app.")
            }
            if let change = level.flatMap(VolumeChange.init) {
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

struct NowPlayingSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show or change how sessions go along with each other.")

    @OptionGroup var common: CommonOptions

    @Flag(
        inversion: .prefixedNo, help: "Pause an app that plays when another session begins to play and takes its place."
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
