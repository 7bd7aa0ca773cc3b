import ArgumentParser
import Foundation
import HostClient
import HostInterface
import Reachability

struct PageOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the page, or change how it is served.")

    @OptionGroup var common: CommonOptions

    @Flag(help: "Print the link instead of opening it. It lets one browser in, once, within two minutes.")
    var print = false

    @Flag(help: "Keep the page on: start it with the daemon.")
    var enable = false

    @Flag(help: "Don't keep the page on.")
    var disable = false

    @Flag(inversion: .prefixedNo, help: "Offer the page to browsers in the network, or to this computer alone.")
    var lan: Bool?

    func validate() throws {
        guard !(enable && disable) else { throw ValidationError("Use --enable or --disable.") }
    }

    func run() async throws {
        try await common.perform { output in
            let client = try await PageCommand.connect()
            if enable || disable { try await client.setEnabled(enable) }
            if let lan { try await client.setInNetwork(lan) }
            let status = try await client.status()
            // Changing the settings alone doesn't open the page.
            let opens = print || !(enable || disable || lan != nil)
            let link = opens ? try await client.link() : nil
            // Not into a file or a pipe: the link lets in who reads it.
            let isShown = lan == true && !output.isJSON && Terminal.output.isInteractive
            let invitation = isShown ? try await PageInviteCommand.link(client, role: .control) : nil
            await client.close()
            try show(status, link, output)
            if let invitation {
                output.notice("Or scan this code; it lets one browser in, once, within two minutes:")
                PageInviteCommand.show(invitation, output)
            }
            guard let link, !print, !output.isJSON, try await !PageOpener.open(link) else { return }
            output.notice("No browser could be opened here. Open this link in one, within two minutes:")
            output.line(link)
        }
    }

    private func show(_ status: PageStatus, _ link: String?, _ output: Output) throws {
        let addresses = status.isInNetwork ? Self.addresses(port: status.port) : []
        if output.isJSON {
            struct Result: Encodable {
                var link: String?
                var port: Int
                var enabled: Bool
                var lan: Bool
                var addresses: [String]
            }
            return try output.json(
                Result(
                    link: link, port: status.port, enabled: status.isEnabled, lan: status.isInNetwork,
                    addresses: addresses))
        }
        if print, let link { output.line(link) }
        if enable { output.notice("The page starts with the daemon.") }
        if disable { output.notice("The page no longer starts with the daemon.") }
        guard let lan else { return }
        guard lan else { return output.notice("The page is for this computer alone.") }
        output.notice("Open one of these addresses in a browser in the network:")
        for address in addresses { output.line(address) }
        output.notice(
            """
            The browser shows a code. Accept it with `mdhost page allow CODE`. Without encryption, others in the network \
            can read what the page sends.
            """)
    }

    /// The addresses of the page in the network.
    private static func addresses(port: Int) -> [String] {
        InterfaceAddress.networkHosts().map { "http://\($0):\(port)/" }
    }
}
