import Foundation
import HostClient
import HostInterface
import QRCodes
import Reachability

extension PageCommands {
    /// Commands for extensions, settings and other browsers.
    static let administration: [String: Body] = [
        "extension": { (page, arguments, _) async throws(HostError) in
            let path = try arguments.extensionPath()
            let action = try arguments.text("action")
            return try await page.request { client throws(HostError) in
                switch action {
                case "enable": try await client.enableExtension(path)
                case "disable": try await client.disableExtension(path)
                case "reload": try await client.reloadExtension(path)
                default: throw HostError(.invalidArgument, "“action” is enable, disable or reload.")
                }
            }
        },
        "log": { (page, arguments, _) async throws(HostError) in
            let path = try arguments.extensionPath()
            let count = Int(try arguments.optionalNumber("count") ?? 200)
            let lines = try await page.link.with { client throws(HostError) in
                try await client.log(of: path, last: min(max(1, count), 1_000))
            }
            return json(["lines": PageJSON.text(lines)])
        },
        "pauses-others": { (page, arguments, _) async throws(HostError) in
            let value = try arguments.flag("value")
            return try await page.request { client throws(HostError) in try await client.setPausesOthers(value) }
        },
        "allow": { (page, arguments, _) async throws(HostError) in
            let role = try role(arguments)
            return json(["name": PageJSON.text(try await page.browsers.decide(try arguments.text("code"), role))])
        },
        "invite": { (page, arguments, _) async throws(HostError) in
            let role = try role(arguments)
            let place = page.served.now
            guard place.isInNetwork, let host = InterfaceAddress.networkHosts().first else {
                throw HostError(
                    .notSupported, "The page is for this computer alone.", remedy: "Run `mdhost page --lan` first.")
            }
            let link = "http://\(host):\(place.port)/#enter=\(await page.browsers.makeToken(role: role))"
            guard let code = QRCode(link) else { throw HostError(.internalFailure, "The link is too long.") }
            return json(["link": PageJSON.text(link), "size": String(code.size), "path": PageJSON.text(code.path)])
        },
        "refuse": { (page, arguments, _) async throws(HostError) in
            json(["name": PageJSON.text(try await page.browsers.decide(try arguments.text("code"), nil))])
        },
        "revoke": { (page, arguments, _) async throws(HostError) in
            json(["name": PageJSON.text(try await page.browsers.revoke(try arguments.text("browser")).name)])
        },
        "doctor": { (page, _, _) async throws(HostError) in
            let report = try await page.helper.doctor()
            return json(["findings": try findings(in: report)])
        },
    ]

    private static func role(_ arguments: CommandArguments) throws(HostError) -> PageRole {
        guard let role = PageRole(rawValue: try arguments.text("role")) else {
            throw HostError(.invalidArgument, "“role” is look, control or administrate.")
        }
        return role
    }

    private struct Report: Codable {
        struct Finding: Codable {
            var area: String
            var severity: String
            var code: String
            var message: String
            var remedy: String?
        }

        var findings: [Finding]
    }

    /// Returns the findings in what `mdhost doctor --json` prints, without the facts behind them.
    static func findings(in report: [UInt8]) throws(HostError) -> String {
        guard let report = try? JSONDecoder().decode(Report.self, from: Data(report)) else {
            throw HostError(.internalFailure, "The doctor's report can't be understood.")
        }
        return PageJSON.text(report.findings)
    }
}
