public import ArgumentParser
import DBus
import Foundation
import HostClient
import HostInterface
import Logging

struct DaemonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Run the daemon in the foreground.",
        discussion: """
            Other commands start it when needed; it then exits after a minute without clients. On SIGHUP, outside of a \
            terminal, it starts the installed version of itself, which takes over; playback continues.
            """)

    @OptionGroup var common: CommonOptions

    @Flag(help: "Exit after a minute without clients.")
    var onDemand = false

    @Flag(inversion: .prefixedNo, help: "Serve on the session bus as well as on its own socket.")
    var sessionBus = true

    @Option(help: "Log level: trace, debug, info, notice, warning or error.")
    var logLevel: Logger.Level = .info

    @Flag(help: "Stop the running daemon, and with it all playback.")
    var quit = false

    @Flag(help: "Take over from the running daemon; playback continues.")
    var replace = false

    @Flag(help: "Return when the daemon serves; it exits after a minute without clients.")
    var background = false

    @Option(help: .hidden)
    var readyDescriptor: Int32?

    @Option(help: .hidden)
    var listeningDescriptor: Int32?

    func validate() throws {
        guard !background || (!quit && sessionBus && logLevel == .info) else {
            throw ValidationError("Of the other options, --background takes only --replace and --on-demand.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            if quit { return try await leave(output) }
            if background { return try await start(output) }
            let rotation = LogRotation(path: try HostFolders.log)
            var logger = Logger(label: "mdhost") {
                SingleLineLogHandler(RotatingLogHandler(StreamLogHandler.standardError(label: $0), rotation))
            }
            logger.logLevel = logLevel
            try await MediaHostDaemon(
                options: .init(
                    onDemand: onDemand, replaces: replace, readyDescriptor: readyDescriptor,
                    listeningDescriptor: listeningDescriptor, usesSessionBus: sessionBus, successor: successor),
                logger: logger
            ).run()
        }
    }

    /// The arguments of the daemon that takes over from this one after an upgrade.
    private var successor: [String] {
        ["daemon", "--replace", "--log-level", logLevel.rawValue] + (onDemand ? ["--on-demand"] : [])
            + (sessionBus ? [] : ["--no-session-bus"])
    }

    private func start(_ output: Output) async throws {
        // A second daemon would exit; the log of the first one isn't the place to say so.
        if replace { try HostLauncher.launch(replacing: true) }
        let client = try await HostClient.connect()
        await client.close()
        if output.isJSON { try output.json(Outcome(running: true)) }
    }

    private func leave(_ output: Output) async throws {
        let client = try await HostClient.connect(launching: false)
        try await client.quit()
        await client.connection.waitUntilClosed()
        if output.isJSON { try output.json(Outcome(running: false)) }
    }

    private struct Outcome: Encodable {
        var running: Bool
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
