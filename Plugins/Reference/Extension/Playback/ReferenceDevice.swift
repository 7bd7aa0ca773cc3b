import Foundation
import MediaDevice
import PlaybackKit
import ReferenceProtocol

/// A receiver in use: its connection, its sessions, its level and its last playback report.
@MainActor
final class ReferenceDevice: GroupMember {
    let device: MediaOutputDevice
    let link: any ReceiverLink
    private let host: MediaDeviceRoutingManager
    /// The sessions, each with the device's rank in that session.
    private var sessions: [MediaOutputSession.ID: (session: MediaOutputSession, order: Int)] = [:]
    private let commands: AsyncStream<ReferenceCommand>.Continuation
    private var sending: Task<Void, Never>?
    /// The number of commands without an answer.
    private var unanswered = 0
    /// The playback that receives the device's reports.
    weak var player: (any DevicePlayback)?
    /// The last playback report; `nil` if nothing plays.
    private(set) var playback: ReferencePlayback?
    private(set) var volume: Float
    private(set) var isMuted: Bool
    private(set) var isConnected = true

    /// Creates a device in use.
    init(_ device: MediaOutputDevice, _ opened: OpenedReceiver, host: MediaDeviceRoutingManager) {
        let (link, welcome) = (opened.link, opened.welcome)
        self.device = device
        self.link = link
        self.host = host
        volume = Float(welcome.volume ?? 0)
        isMuted = welcome.isMuted
        playback = welcome.playback
        let (commands, feed) = AsyncStream.makeStream(of: ReferenceCommand.self)
        self.commands = feed
        Task { [weak self] in
            for await event in link.events { self?.take(event) }
            self?.connectionEnded()
        }
        // One after the other, so that they arrive in the order of the requests.
        sending = Task { [weak self] in
            for await command in commands {
                do throws(ConnectionFailure) {
                    _ = try await link.perform(command, isNoted: true)
                } catch {
                    self?.commandFailed(command, error)
                }
            }
        }
    }

    var id: MediaOutputDevice.ID { device.id }

    var isUnused: Bool { sessions.isEmpty }

    func isUsed(by session: MediaOutputSession) -> Bool { sessions[session.id] != nil }

    /// Returns the device's rank in a session.
    func order(in session: MediaOutputSession) -> Int { sessions[session.id]?.order ?? 0 }

    /// A Boolean value that indicates whether the last report reflects all commands.
    var isSettled: Bool { unanswered == 0 }

    /// Adds a session.
    func activate(for session: MediaOutputSession, order: Int) {
        sessions[session.id] = (session, sessions[session.id]?.order ?? order)
        host.activatedDevice(device, session: session)
    }

    func deactivate(_ session: MediaOutputSession) { sessions[session.id] = nil }

    /// Removes a session that can't use the device any longer, and reports the error.
    func fail(_ error: MediaDeviceError, for session: MediaOutputSession) {
        sessions[session.id] = nil
        host.failedToActivateDevice(device, session: session, error: error)
    }

    /// Closes the connection after all commands are sent.
    func close() async {
        isConnected = false
        commands.finish()
        await sending?.value
        await link.close()
    }

    func send(_ command: ReferenceCommand) {
        unanswered += 1
        commands.yield(command)
    }

    /// Performs a command at once, without waiting for those that were sent before.
    func perform(_ command: ReferenceCommand) async throws(ConnectionFailure) {
        unanswered += 1
        _ = try await link.perform(command, isNoted: true)
    }

    func readClock() async -> ClockExchange? { try? await link.readClock() }

    // MARK: In a group

    var groupReport: PlaybackSnapshot? {
        guard let playback, playback.id == player?.playbackID, !playback.isBuffering else { return nil }
        var snapshot = PlaybackSnapshot(playback)
        snapshot.time = playback.time
        snapshot.isReady = !playback.isHeld
        return snapshot
    }

    func start(from position: Double, at time: Double) { send(.start(position: position, at: time)) }

    /// Sends the command of a request. Its level shows at once.
    func perform(_ wish: PlayerWish) {
        switch wish {
        case .setVolume(let volume): self.volume = Float(volume)
        case .setMuted(let isMuted): self.isMuted = isMuted
        default: break
        }
        send(ReferenceCommand(wish))
    }

    var level: PlayerLevel {
        PlayerLevel(
            volume: device.volumeControl == .absolute ? Double(volume) : nil, isMuted: device.canMute ? isMuted : nil)
    }

    // MARK: Events of the receiver

    private func take(_ event: LinkEvent) {
        switch event {
        case .answered:
            unanswered -= 1
            if isSettled { player?.settled(self) }
        case .compared: player?.compared(self)
        case .told(.playback(let state)):
            playback = state
            if let state { player?.heard(state, from: self) }
        case .told(.ended(let id, let failure)):
            if playback?.id == id { playback = nil }
            player?.ended(id, failure, on: self)
        case .told(.volume(let level, let muted)):
            volume = level.map { Float($0) } ?? volume
            isMuted = muted
            player?.levelChanged()
            // The level of a device that is being released isn't needed, and the extension would answer 0.
            if !isUnused { host.volumeChanged(for: device) }
        case .told(.data(let application, let data)): player?.received(data, from: application)
        case .told(.paired), .told(.pairingFailed): break
        }
    }

    private func commandFailed(_ command: ReferenceCommand, _ failure: ConnectionFailure) {
        player?.failed(command, failure, on: self)
    }

    private func connectionEnded() {
        guard isConnected else { return }
        isConnected = false
        commands.finish()
        playback = nil
        let error = MediaDeviceError(ConnectionFailure.lost(from: device.displayName), .connectionFailed)
        if let player { return player.lost(self, error) }
        // Nothing plays that could fail instead.
        for (session, _) in Array(sessions.values) { fail(error, for: session) }
    }
}
