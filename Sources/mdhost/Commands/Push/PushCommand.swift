import ArgumentParser
import Foundation
import HostClient
import HostCore
import HostInterface
import PushGateway

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

    /// The gateway's own folder, made if missing.
    static func folder() throws(HostError) -> String {
        let state = try HostFolders.state()
        try HostFolders.prepare(state)
        return try prepare(state + "/push")
    }

    /// Makes a folder where there is none, and sees that it is the user's alone.
    static func prepare(_ folder: String) throws(HostError) -> String {
        try HostFolders.prepare(folder)
        return folder
    }

    static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}

struct PushKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List, create or remove signing keys of servers.")

    @OptionGroup var common: CommonOptions

    @Flag(help: "Create another key.")
    var new = false

    @Option(help: "Remove this key: its signatures are refused from now on.")
    var remove: String?

    func run() async throws {
        try await common.perform { output in
            let keys = GatewayKeys(folder: try PushCommand.folder())
            if let remove { try keys.remove(remove) }
            if new { _ = try keys.make(now: PushCommand.now) }
            let all = try keys.all()
            if output.isJSON { return try output.json(all.map { Key($0, keys) }) }
            guard !all.isEmpty else {
                return output.notice("There is no key yet: `mdhost push serve` makes the first.")
            }
            let rows = all.map { key in
                [
                    Table.Cell(key.id, .heading), Table.Cell(key.team),
                    Table.Cell(Key(key, keys).file ?? "moved away", .dim),
                ]
            }
            for line in Table(headings: ["KEY ID", "TEAM ID", "FILE FOR THE SERVER"], rows: rows)
                .lines(width: .max, style: { $0($1) })
            {
                output.line(line)
            }
        }
    }

    private struct Key: Encodable {
        var id: String
        var team: String
        /// `nil` where it was moved away.
        var file: String?

        init(_ key: ProviderKey, _ keys: GatewayKeys) {
            id = key.id
            team = key.team
            let path = keys.privateKeyPath(key.id)
            file = FileManager.default.fileExists(atPath: path) ? path : nil
        }
    }
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
