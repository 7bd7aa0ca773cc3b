import ArgumentParser
import Foundation
import HostClient
import HostInterface

struct PageBrowsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browsers", abstract: "List the browsers that may use the page, and those that ask to.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform { output in
            let client = try await PageCommand.connect()
            let browsers = try await client.browsers()
            await client.close()
            if output.isJSON { return try output.json(browsers) }
            guard !browsers.isEmpty else { return output.notice("No browser may use the page yet.") }
            output.table(
                ["BROWSER", "ID", "ROLE", "LAST SEEN"],
                browsers.map { browser in
                    [
                        Table.Cell(DisplayText.clean(browser.name), .heading), Table.Cell(browser.id, .dim),
                        browser.id.isEmpty
                            ? Table.Cell("asks from \(browser.address ?? "?")", .warning) : Table.Cell(browser.role),
                        Table.Cell(Self.time(browser)),
                    ]
                })
        }
    }

    private static func time(_ browser: PageBrowserStatus) -> String {
        if browser.isConnected { return "now" }
        guard let seen = browser.seen else { return "" }
        let date = Date(timeIntervalSince1970: seen)
        return date.formatted(.iso8601.year().month().day().dateSeparator(.dash))
    }
}

struct PageRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Remove a browser; what it shows ends at once.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Id or name of the browser, as `mdhost page browsers` lists it.")
    var browser: String

    func run() async throws {
        try await common.perform { output in
            let client = try await PageCommand.connect()
            let revoked = try await client.revoke(browser)
            await client.close()
            if output.isJSON {
                struct Result: Encodable { var browser: String, name: String, revoked: Bool }
                try output.json(Result(browser: revoked.id, name: revoked.name, revoked: true))
            } else {
                output.line(DisplayText.clean("\(revoked.name) may not use the page any more."))
            }
        }
    }
}

struct PageAllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Accept a browser in the network that shows a code.")

    enum Role: String, ExpressibleByArgument, CaseIterable { case look, control, administrate }

    @OptionGroup var common: CommonOptions

    @Argument(help: "The code that the browser shows.")
    var code: String

    @Option(
        help: """
            Its rights: look shows devices and playback, control also plays and pairs, administrate also changes settings.
            """)
    var role = Role.control

    func run() async throws {
        try await common.perform { output in
            let client = try await PageCommand.connect()
            let name = try await client.decide(code, role: role.rawValue)
            await client.close()
            if output.isJSON {
                struct Result: Encodable { var name: String, role: String, allowed: Bool }
                try output.json(Result(name: name, role: role.rawValue, allowed: true))
            } else {
                output.line(DisplayText.clean("\(name) may use the page (\(role.rawValue))."))
            }
        }
    }
}

struct PageRefuseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse a browser in the network that shows a code.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "The code that the browser shows.")
    var code: String

    func run() async throws {
        try await common.perform { output in
            let client = try await PageCommand.connect()
            let name = try await client.decide(code, role: nil)
            await client.close()
            if output.isJSON {
                struct Result: Encodable { var name: String, allowed: Bool }
                try output.json(Result(name: name, allowed: false))
            } else {
                output.line(DisplayText.clean("Refused \(name)."))
            }
        }
    }
}
