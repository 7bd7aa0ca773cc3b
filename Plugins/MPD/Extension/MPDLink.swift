import DeviceConnections
import Foundation
import MPDProtocol
import PlaybackKit

/// The time limits for a server.
struct MPDTimeouts: Sendable, Hashable {
    /// For each address to accept a connection.
    var connecting = Duration.seconds(5)
    /// From there to the greeting.
    var greeting = Duration.seconds(5)
    /// For each answer.
    var answer = Duration.seconds(20)
}

/// A connection to a server, and the server's initial facts.
struct MPDLink: Sendable {
    /// The state of the server after every command answered so far.
    struct Observation: Sendable, Hashable {
        let status: MPDStatus
        /// The current song, playing or not.
        let song: MPDSong?
    }

    let version: MPDVersion
    let permissions: MPDPermissions
    /// Seconds since 1970 at which the server was started, within about a second; `nil` if it doesn't report it.
    let serverStart: Double?
    private let connection: DeviceConnection<MPDConnectionMachine>

    /// Connects to the first address that answers as MPD, and reads the connection's permissions.
    ///
    /// - Throws: ``MPDError``; `refused` with the code `password` for a wrong password, `permission` if playback
    ///   needs more permissions.
    static func open(
        _ endpoints: [NWEndpoint], password: String?, timeouts: MPDTimeouts
    ) async throws(MPDError) -> MPDLink {
        var limits = DeviceConnection<MPDConnectionMachine>.Limits()
        limits.connecting = timeouts.connecting
        limits.greeting = timeouts.greeting
        let answerLimit = timeouts.answer
        let connection: DeviceConnection<MPDConnectionMachine>
        do throws(TransportFailure) {
            connection = try await DeviceConnection.open(anyOf: endpoints, limits: limits) {
                MPDConnectionMachine(answerLimit: answerLimit)
            }
        } catch {
            throw .transport(error)
        }
        do throws(MPDError) {
            return try await MPDLink(connection, password: password)
        } catch {
            await connection.close()
            throw error
        }
    }

    private init(_ connection: DeviceConnection<MPDConnectionMachine>, password: String?) async throws(MPDError) {
        self.connection = connection
        var notifications = connection.notifications.makeAsyncIterator()
        guard case .greeted(let version)? = await notifications.next() else {
            throw .transport(.disconnected("the device closed it"))
        }
        self.version = version
        if let password { _ = try await Self.perform([MPDCommand("password", password)], on: connection) }
        permissions = MPDPermissions(try await Self.perform([MPDCommand("commands")], on: connection).first)
        guard permissions.allowsPlayback else {
            throw .refused(
                MPDRefusal(
                    code: .permission, index: 0, command: permissions.missingForPlayback[0], text: "no permission"))
        }
        guard permissions.allows("stats") else {
            serverStart = nil
            return
        }
        let uptime = try await Self.perform([MPDCommand("stats")], on: connection).first["uptime"]
        serverStart = uptime.flatMap { Double($0) }.map { Date().timeIntervalSince1970 - $0 }
    }

    /// An element whenever the server's state should be read again; ends with the connection. One consumer.
    var notifications: AsyncStream<MPDNotification> { connection.notifications }

    func perform(_ commands: [MPDCommand]) async throws(MPDError) -> MPDReply {
        try await Self.perform(commands, on: connection)
    }

    /// Asks for the state of the server now.
    func observe() async throws(MPDError) -> Observation {
        let reply = try await perform([MPDCommand("status"), MPDCommand("currentsong")])
        return Observation(status: try MPDStatus(reply.parts[0]), song: MPDSong(reply.parts[1]))
    }

    func close() async { await connection.close() }

    private static func perform(
        _ commands: [MPDCommand], on connection: DeviceConnection<MPDConnectionMachine>
    ) async throws(MPDError) -> MPDReply {
        let result: Result<MPDReply, MPDError>
        do throws(TransportFailure) { result = try await connection.request(commands) } catch {
            throw .transport(error)
        }
        return try result.get()
    }
}
