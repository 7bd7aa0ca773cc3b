import MPDProtocol

/// A server in use: keeps its connection, its latest status, and one order of commands.
///
/// While it is open a lost connection is made again with growing pauses. Nothing is polled: the status is asked for when
/// the server tells of a change, and after commands of ours.
@MainActor
final class MPDPlayer {
    /// The state of the server after every command answered so far.
    struct Observation: Sendable, Hashable {
        let status: MPDStatus
        /// What is current, playing or not.
        let song: MPDSong?
    }

    enum Event: Sendable, Hashable {
        case observed(Observation)
        /// The level changed, and not because of us.
        case volumeChanged
        /// The connection is gone and made again by itself.
        case lost(MPDError)
        /// It is back; the server may be another process by now.
        case returned(Observation)
        /// It cannot be made again: the password is refused, or something else answers there.
        case gone(MPDError)
    }

    /// Where it is tried when the connection has to be made again.
    private(set) var addresses: [MPDAddress]
    var onEvent: (Event) -> Void = { _ in }
    private(set) var version = MPDVersion(0, 0)
    private(set) var permissions = MPDPermissions(commands: [])
    private(set) var status: MPDStatus?

    private let timeouts: MPDTimeouts
    private let clock: any Clock<Duration>
    private var connection: MPDConnection?
    private var password: String?
    private var monitor: Task<Void, Never>?
    /// The wait for the next attempt to make the connection again.
    private var pause: Task<Void, Never>?
    private var isClosed = false
    private var commandsInFlight = 0
    /// Counts answered commands: a status asked for before the latest answer says nothing about its effect.
    private var answered = 0
    private var queued: [MPDCommand] = []
    private var isDraining = false
    /// Ends what waits for a connection.
    private var forgetting: Task<Void, Never>?

    /// For a connection to come back, after which a person does not expect any more that what they asked for is done.
    static let patience = Duration.seconds(60)

    init(
        addresses: [MPDAddress], timeouts: MPDTimeouts = MPDTimeouts(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.addresses = addresses
        self.timeouts = timeouts
        self.clock = clock
    }

    var isConnected: Bool { connection != nil }

    /// Makes the first connection and learns what it may do; from then on the server is watched.
    ///
    /// With too few permissions the connection is closed again: look at ``permissions``.
    ///
    /// - Throws: ``MPDError``; `refused` with the code `password` for a wrong password.
    func connect(password: String?) async throws(MPDError) {
        let connection = try await open(password)
        do throws(MPDError) {
            permissions = MPDPermissions(try await connection.perform(MPDCommand("commands")))
            guard permissions.allowsPlayback else { return await connection.close() }
            let observation = try await Self.observe(connection)
            guard !isClosed else { throw .disconnected("it is not wanted any more") }
            self.password = password
            self.connection = connection
            status = observation.status
            monitor = Task { await watch(connection) }
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Ends the connection and every attempt to make it again.
    func close() async {
        isClosed = true
        queued = []
        forgetting?.cancel()
        monitor?.cancel()
        pause?.cancel()
        let connection = connection
        self.connection = nil
        await connection?.close()
    }

    /// The server was seen, maybe at other addresses: if the connection is gone, it is made again at once.
    func seen(at addresses: [MPDAddress]) {
        guard !addresses.isEmpty else { return }
        self.addresses = addresses
        pause?.cancel()
        // A connection to an address that is gone shows it by the answer that does not come.
        connection?.requestObservation()
    }

    // MARK: Commands

    /// Asks for something that changes nothing.
    func query(_ commands: [MPDCommand]) async throws(MPDError) -> MPDReply {
        guard let connection else { throw .disconnected("it is being made again") }
        return try await connection.perform(commands)
    }

    /// The state of the server now.
    func observe() async throws(MPDError) -> Observation {
        guard let connection else { throw .disconnected("it is being made again") }
        return try await Self.observe(connection)
    }

    /// Performs commands that change the server; the observation that follows includes their effect.
    func perform(_ commands: [MPDCommand]) async throws(MPDError) -> MPDReply {
        guard let connection else { throw .disconnected("it is being made again") }
        commandsInFlight += 1
        defer {
            commandsInFlight -= 1
            answered += 1
            if commandsInFlight == 0 { connection.requestObservation() }
        }
        return try await connection.perform(commands)
    }

    /// Performs a command of the person's: in order, and only the latest of each name where they come faster than they
    /// are answered, as from a slider. While the connection is gone it waits for the next one, for ``patience``.
    ///
    /// - Parameter command: One that may be performed twice: the server may have heard it before the connection was lost.
    func enqueue(_ command: MPDCommand) {
        queued.removeAll { $0.name == command.name }
        queued.append(command)
        startDraining()
    }

    /// What waits for a connection is not to be performed any more.
    func forget(_ names: Set<String>) { queued.removeAll { names.contains($0.name) } }

    private func startDraining() {
        guard !isDraining, !queued.isEmpty else { return }
        guard isConnected else { return waitForConnection() }
        isDraining = true
        Task { await drain() }
    }

    private func drain() async {
        defer { isDraining = false }
        while !queued.isEmpty {
            let command = queued.removeFirst()
            let used = connection
            do throws(MPDError) {
                _ = try await perform([command])
                if command.name == "setvol" { commandedVolume(command) }
            } catch {
                log.warning(
                    "a command failed", metadata: ["command": "\(command.name)", "reason": "\(error.sentence)"])
                guard error.canReconnect else { continue }
                if !queued.contains(where: { $0.name == command.name }) { queued.insert(command, at: 0) }
                // The next connection may be there before the end of this one was told.
                if connection == nil || connection === used { return waitForConnection() }
            }
        }
    }

    private func waitForConnection() {
        guard forgetting == nil, !isClosed else { return }
        forgetting = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            self?.queued = []
            self?.forgetting = nil
        }
    }

    private func connectionReturned() {
        forgetting?.cancel()
        forgetting = nil
        startDraining()
    }

    // MARK: Level

    /// `0...1`; `nil` where the server has no mixer. A level just asked for counts as reached.
    var volume: Float? {
        let asked = queued.last { $0.name == "setvol" }?.arguments.first.flatMap { Int($0) }
        return (asked ?? status?.volume).map { Float($0) / 100 }
    }

    /// - Parameter level: `0...1`; clamped.
    func setVolume(_ level: Float) {
        guard level.isFinite, status?.volume != nil else { return }
        enqueue(MPDCommand("setvol", String(Int((min(1, max(0, level)) * 100).rounded()))))
    }

    private func commandedVolume(_ command: MPDCommand) {
        // Known from here on, so that the mixer event it causes is not taken for somebody else's.
        status?.volume = command.arguments.first.flatMap { Int($0) }
    }

    // MARK: Watching

    private func open(_ password: String?) async throws(MPDError) -> MPDConnection {
        let (connection, version) = try await MPDConnection.open(
            anyOf: addresses, password: password, timeouts: timeouts)
        self.version = version
        return connection
    }

    private func watch(_ first: MPDConnection) async {
        var current = first
        while !isClosed {
            let reason = await follow(current)
            await current.close()
            guard !isClosed else { return }
            connection = nil
            onEvent(.lost(reason))
            guard let next = await reconnect() else { return }
            current = next
        }
    }

    /// Observes after each change until the connection ends; gives the reason.
    private func follow(_ connection: MPDConnection) async -> MPDError {
        for await _ in connection.changes {
            guard commandsInFlight == 0 else { continue }
            let before = answered
            do throws(MPDError) {
                let observation = try await Self.observe(connection)
                guard !isClosed else { break }
                // The command answered meanwhile asks for its own observation.
                if answered == before, commandsInFlight == 0 { take(observation) }
            } catch {
                return error
            }
        }
        return .disconnected("the server closed it")
    }

    private func take(_ observation: Observation) {
        let known = status
        status = observation.status
        onEvent(.observed(observation))
        if let known, known.volume != observation.status.volume { onEvent(.volumeChanged) }
    }

    private func reconnect() async -> MPDConnection? {
        var schedule = MPDReconnection()
        while !isClosed {
            let delay = schedule.delay()
            let pause = Task { [clock] in _ = try? await clock.sleep(for: delay) }
            self.pause = pause
            await pause.value
            guard !isClosed, !Task.isCancelled else { return nil }
            do throws(MPDError) {
                let connection = try await open(password)
                let observation = try await Self.observe(connection)
                guard !isClosed else {
                    await connection.close()
                    return nil
                }
                self.connection = connection
                status = observation.status
                onEvent(.returned(observation))
                connectionReturned()
                return connection
            } catch {
                guard error.canReconnect else {
                    onEvent(.gone(error))
                    return nil
                }
            }
        }
        return nil
    }

    private static func observe(_ connection: MPDConnection) async throws(MPDError) -> Observation {
        let reply = try await connection.perform([MPDCommand("status"), MPDCommand("currentsong")])
        return Observation(status: try MPDStatus(reply.parts[0]), song: MPDSong(reply.parts[1]))
    }
}
