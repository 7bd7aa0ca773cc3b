import ArgumentParser
import HostClient
import HostInterface

struct CertificateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate", abstract: "Accept media servers with a self-signed certificate.",
        discussion: """
            Where mdhost itself reads media over HTTPS, for AirPlay and Bluetooth, the server's certificate must be one that \
            the system trusts. Accepting a server means that anyone who can pose as it on the network is taken for it.
            """,
        subcommands: [List.self, Accept.self, Forget.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the servers of which any certificate is accepted.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await common.perform { output in
                let client = try await HostClient.connect()
                let servers = try await client.acceptedCertificates()
                await client.close()
                if output.isJSON { return try output.json(servers) }
                if servers.isEmpty { output.notice("No certificates were accepted.") }
                for server in servers { output.line(server) }
            }
        }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept", abstract: "Accept any certificate of a server from now on.")

        @OptionGroup var common: CommonOptions

        @Argument(help: "Host, host:port or HTTPS address of the server.")
        var server: String

        func run() async throws { try await CertificateCommand.decide(server, true, common) }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Require a trusted certificate of a server again.")

        @OptionGroup var common: CommonOptions

        @Argument(help: "Host, host:port or HTTPS address of the server.")
        var server: String

        func run() async throws { try await CertificateCommand.decide(server, false, common) }
    }

    private static func decide(_ server: String, _ isAccepted: Bool, _ common: CommonOptions) async throws {
        struct Result: Encodable { var server: String, accepted: Bool }
        try await common.perform { output in
            let client = try await HostClient.connect()
            let name = try await client.acceptCertificate(of: server, isAccepted)
            await client.close()
            if output.isJSON { return try output.json(Result(server: name, accepted: isAccepted)) }
            output.notice(isAccepted ? "Any certificate of \(name) is accepted now." : "Removed \(name).")
        }
    }
}
