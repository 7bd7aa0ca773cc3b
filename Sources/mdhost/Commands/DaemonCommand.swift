import ArgumentParser
import Foundation
import HostClient
import HostInterface
import Logging

struct DaemonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Run the daemon in the foreground.",
        discussion: "Other commands start it when needed; it then exits after a minute without clients.")

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

    @Option(help: .hidden)
    var readyDescriptor: Int32?

    func run() async throws {
        try await common.perform { output in
            if quit { return try await leave(output) }
            let rotation = LogRotation(path: try HostFolders.log)
            var logger = Logger(label: "mdhost") {
                RotatingLogHandler(StreamLogHandler.standardError(label: $0), rotation)
            }
            logger.logLevel = logLevel
            try await MediaHostDaemon(
                options: .init(
                    onDemand: onDemand, replaces: replace, readyDescriptor: readyDescriptor, usesSessionBus: sessionBus),
                logger: logger
            ).run()
        }
    }

    private func leave(_ output: Output) async throws {
        let client = try await HostClient.connect(launching: false)
        try await client.quit()
        await client.connection.waitUntilClosed()
        if output.isJSON {
            struct Result: Encodable { var running: Bool }
            try output.json(Result(running: false))
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
