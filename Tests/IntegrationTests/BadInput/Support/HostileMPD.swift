import Foundation
import Synchronization

/// A valid MPD server, except for the faults a test sets, announced by Avahi.
final class HostileMPD: Sendable {
    struct Manners: Sendable {
        /// Beginning of the DNS-SD instance name; see ``HostileMPD/name``.
        var name: String
        /// The first line; `nil` for a server that says nothing.
        var greeting: String? = "OK MPD 0.23.5"
        /// Answers one command instead of the good answer; `false` ends the connection.
        var answer: (@Sendable (String, HostileConnection) -> Bool)?
        var textRecord: [String] = []
    }

    /// DNS-SD instance name: new each time, as the records of an earlier run may still be remembered.
    let name: String
    private let manners: Manners
    private let server = Mutex<HostileServer?>(nil)
    private let publication = Mutex<RunningCommand?>(nil)
    private let commands = Mutex<[String]>([])

    static func start(_ manners: Manners, on host: LabHost) async throws -> HostileMPD {
        let mpd = HostileMPD(manners)
        let server = try await HostileServer.start(on: host) { [weak mpd] in mpd?.serve($0) }
        mpd.server.withLock { $0 = server }
        let words = ["avahi-publish", "-s", mpd.name, "_mpd._tcp", "\(server.port)"] + manners.textRecord
        let publication = try RunningCommand(host.command(words))
        mpd.publication.withLock { $0 = publication }
        do {
            try await eventually("the announcement of \(manners.name)") { publication.errors.contains("Established") }
        } catch {
            await mpd.stop()
            throw WaitedInVain(description: "\(error): \(publication.errors)")
        }
        return mpd
    }

    /// Several at once, in that order: each takes a second to be announced.
    static func start(_ all: [Manners], on host: LabHost) async throws -> [HostileMPD] {
        try await withThrowingTaskGroup { group in
            for (index, manners) in all.enumerated() {
                group.addTask { (index, try await HostileMPD.start(manners, on: host)) }
            }
            var started: [Int: HostileMPD] = [:]
            for try await (index, mpd) in group { started[index] = mpd }
            return all.indices.compactMap { started[$0] }
        }
    }

    private init(_ manners: Manners) {
        self.manners = manners
        name = manners.name + " " + UUID().uuidString.prefix(4)
    }

    var openConnections: Int { server.withLock { $0?.openCount ?? 0 } }
    var received: [String] { commands.withLock { $0 } }

    func stop() async {
        server.withLock { $0?.stop() }
        await publication.withLock { $0 }?.stop()
    }

    private func serve(_ connection: HostileConnection) {
        guard let greeting = manners.greeting else { return connection.waitForEnd() }
        guard connection.write(greeting + "\n") else { return }
        var isList = false
        while let line = connection.readLine() {
            commands.withLock { $0.append(line) }
            if let answer = manners.answer {
                guard answer(line, connection) else { return }
                continue
            }
            switch line.split(separator: " ").first {
            case "command_list_ok_begin": isList = true
            case "command_list_end":
                isList = false
                connection.write("OK\n")
            case "idle": break
            case "status":
                connection.write(
                    "volume: 50\nstate: stop\nplaylistlength: 0\nplaylist: 1\n" + (isList ? "list_OK\n" : "OK\n"))
            default: connection.write(isList ? "list_OK\n" : "OK\n")
            }
        }
    }
}
