import Foundation
import HostClient
import HostInterface
import Logging

/// The commands of the page, each with the role it needs.
struct PageCommands: Sendable {
    let link: DaemonLink
    let hub: PageHub
    let browsers: BrowserDirectory
    let helper: any PageHelper
    let served: ServedPlace
    let logger: Logger

    typealias Body = @Sendable (PageCommands, CommandArguments, PageBrowser) async throws(HostError) -> String

    struct Command: Sendable {
        let role: PageRole
        let body: Body
    }

    static let all: [String: Command] = {
        var all: [String: Command] = [:]
        func add(_ role: PageRole, _ commands: [String: Body]) {
            for (name, body) in commands { all[name] = Command(role: role, body: body) }
        }
        add(.look, ["search": { (_, _, _) async throws(HostError) in done }])
        add(.control, playback)
        add(.control, volumes)
        add(.control, picking)
        add(.administrate, keeping)
        add(.administrate, administration)
        return all
    }()

    /// The answer of a command that has nothing to say.
    static let done = "{}"

    /// Carries out a command.
    ///
    /// - Returns: JSON.
    /// - Throws: ``HostError`` of the daemon or the device; `not-supported` for an unknown command,
    ///   `authorization-failed` if the browser's role is too small.
    func perform(_ name: String, _ arguments: CommandArguments, for browser: PageBrowser) async throws(HostError)
        -> String
    {
        guard let command = Self.all[name] else { throw HostError(.notSupported, "The page has no such command.") }
        guard browser.role >= command.role else { throw Self.notAllowed(command.role) }
        return try await command.body(self, arguments, browser)
    }

    static func notAllowed(_ role: PageRole) -> HostError {
        HostError(
            .authorizationFailed, "This browser may not do that: it needs the role “\(role.rawValue)”.",
            remedy: "Ask the person at the computer to let this browser in again with that role.")
    }

    /// Makes a request of the daemon that has no answer.
    func request(
        _ body: @Sendable (HostClient) async throws(HostError) -> Void
    ) async throws(HostError) -> String {
        try await link.with(body)
        return Self.done
    }

    static func json(_ members: [String: String]) -> String { PageJSON.object(members) }
}
