import ArgumentParser
import HostClient
import HostCore
import HostInterface

struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Let servers start, update and end remote sessions.",
        discussion: """
            The gateway speaks the protocol of Apple's push notification service: a provider library needs another host \
            name, the key, and the gateway's authority to trust. docs/push.md tells how.
            """,
        subcommands: [
            PushServe.self, PushKeys.self, PushToken.self, PushRotate.self, PushJoin.self, PushLeave.self,
            PushStatus.self,
        ])
}

struct PushToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print the token that starts sessions of an app.",
        discussion: "An app gives it to its server by itself; this is for trying a server by hand.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Identifier of the app, such as org.example.player.")
    var application: String

    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            let token = try await connection.client.pushToStartToken(of: application)
            let text = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            if output.isJSON {
                struct Result: Encodable { var application: String, token: String, topic: String }
                try output.json(
                    Result(
                        application: application, token: text, topic: HostCore.PushToken.topic(of: application)))
            } else {
                output.line(text)
            }
            await connection.close()
        }
    }
}

struct PushRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace every token of an app and tell its servers.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Identifier of the app, such as org.example.player.")
    var application: String

    func run() async throws {
        try await common.perform { _ in
            let connection = try await HostConnection()
            try await connection.client.rotatePushTokens(of: application)
            await connection.close()
        }
    }
}
