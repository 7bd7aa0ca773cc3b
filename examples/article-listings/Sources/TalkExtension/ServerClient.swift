import Foundation

/// The talk's server, here a record of its requests.
actor ServerClient {
    enum Command: Sendable { case play, pause, previous, next }

    let sessionID: String
    private(set) var commands: [Command] = []

    init(sessionID: String) { self.sessionID = sessionID }

    func send(_ command: Command) throws { commands.append(command) }
}

extension RemotePlayerModel {
    func artworkData(size: CGSize) async throws -> Data { Data([0xFF, 0xD8, 0xFF]) }
}
