import ArgumentParser
import HostClient
import HostInterface
import QRCodes
import Reachability

struct PageInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Show a QR code that lets one browser in the network in.",
        discussion:
            "The code is a link that works once, within two minutes. The page must be offered: `mdhost page --lan`.")

    @OptionGroup var common: CommonOptions

    @Option(help: "The browser's rights, as for `mdhost page allow`.")
    var role = PageAllowCommand.Role.control

    func run() async throws {
        try await common.perform { output in
            let client = try await PageCommand.connect()
            let status = try await client.status()
            guard status.isInNetwork else {
                await client.close()
                throw HostError(
                    .notSupported, "The page is for this computer alone.", remedy: "Run `mdhost page --lan` first.")
            }
            let link = try await Self.link(client, role: role)
            await client.close()
            if output.isJSON {
                struct Result: Encodable { var link: String, role: String }
                return try output.json(Result(link: link, role: role.rawValue))
            }
            Self.show(link, output)
        }
    }

    /// - Throws: ``HostError`` `host-unavailable` if this computer is in no network.
    static func link(_ client: PageClient, role: PageAllowCommand.Role) async throws(HostError) -> String {
        guard let host = InterfaceAddress.networkHosts().first else {
            throw HostError(.hostUnavailable, "This computer has no address in a network.")
        }
        return try await client.link(host: host, role: role.rawValue)
    }

    /// Draws the code where a terminal shows it, and prints the link.
    static func show(_ link: String, _ output: Output) {
        for line in QRCode(link)?.terminalLines ?? [] { output.line(line) }
        output.line(link)
    }
}
