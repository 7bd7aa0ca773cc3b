import ArgumentParser
import HostClient
import HostInterface

struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Open the page that shows and controls everything in a browser.",
        discussion: """
            The page is a program of its own, for this computer alone. It ends a while after its last browser, unless \
            --enable keeps it on. With --lan, browsers in the network may ask to use it; accept them with \
            `mdhost page allow`.
            """,
        subcommands: [
            PageOpenCommand.self, PageBrowsersCommand.self, PageRevokeCommand.self, PageInviteCommand.self,
            PageAllowCommand.self, PageRefuseCommand.self, PageStopCommand.self,
        ], defaultSubcommand: PageOpenCommand.self)

    /// Connects to the page, started if it doesn't run.
    static func connect() async throws(HostError) -> PageClient {
        guard let client = try await PageClient.connect(launching: true) else {
            throw HostError(.hostUnavailable, "The page doesn't answer.")
        }
        return client
    }
}

struct PageStopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop the page.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform { output in
            if let client = try await PageClient.connect(launching: false) {
                try await client.stop()
                await client.waitUntilClosed()
            }
            if output.isJSON {
                struct Result: Encodable { var running: Bool }
                try output.json(Result(running: false))
            }
        }
    }
}
