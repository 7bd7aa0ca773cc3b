import Foundation
import MediaDevice
import ReferenceProtocol

/// A receiver somebody uses: its connection, the sessions that hold it and the one that plays.
@MainActor
final class ReferenceDevice {
    let device: MediaOutputDevice
    private let link: any ReceiverLink
    private let host: MediaDeviceRoutingManager
    private var sessions: [MediaOutputSession.ID: MediaOutputSession] = [:]
    private var playing: MediaOutputSession?
    /// The receiver's name of what the playing session started.
    private var playback = ""
    /// The application it started; `nil` for media.
    private var application: String?
    private var control: ReferencePlaybackControl?
    private let commands: AsyncStream<ReferenceCommand>.Continuation
    private var sending: Task<Void, Never>?
    private(set) var volume: Float
    private(set) var isMuted: Bool
    private(set) var isConnected = true

    /// - Parameters:
    ///   - link: Open, and authorized.
    ///   - welcome: What the receiver told on it.
    init(
        _ device: MediaOutputDevice, link: any ReceiverLink, welcome: ReferenceWelcome, host: MediaDeviceRoutingManager
    ) {
        self.device = device
        self.link = link
        self.host = host
        volume = Float(welcome.volume ?? 0)
        isMuted = welcome.isMuted
        let (commands, feed) = AsyncStream.makeStream(of: ReferenceCommand.self)
        self.commands = feed
        Task { [weak self] in
            for await event in link.events { self?.take(event) }
            self?.connectionEnded()
        }
        // One after the other, so that they arrive in the order they were asked for.
        sending = Task { [weak self] in
            for await command in commands {
                do throws(ConnectionFailure) {
                    _ = try await link.perform(command)
                } catch {
                    self?.commandFailed(command, error)
                }
            }
        }
    }

    var isUnused: Bool { sessions.isEmpty }

    func isUsed(by session: MediaOutputSession) -> Bool { sessions[session.id] != nil }

    /// Lets a session hold the device.
    func activate(for session: MediaOutputSession) {
        sessions[session.id] = session
        host.activatedDevice(device, session: session)
    }

    func deactivate(_ session: MediaOutputSession) {
        stop(session)
        sessions[session.id] = nil
    }

    /// Ends the connection, after the commands that were asked for.
    func close() async {
        isConnected = false
        commands.finish()
        await sending?.value
        await link.close()
    }

    func send(_ command: ReferenceCommand) { commands.yield(command) }

    // MARK: Playback

    /// Plays media, or launches an application with what it understands.
    func start(_ session: MediaOutputSession, application: String?, url: URL) {
        playing = session
        playback = UUID().uuidString
        self.application = application
        control = nil
        let information = session.mediaInformation
        let media = ReferenceMedia(
            url: url.absoluteString, title: information?.title, artist: information?.artist,
            contentType: information?.contentType, duration: information?.duration,
            position: information?.startPosition)
        send(
            application.map { .launch(id: playback, application: $0, url: url.absoluteString) }
                ?? .play(id: playback, media: media))
    }

    func stop(_ session: MediaOutputSession) {
        guard playing?.id == session.id else { return }
        playing = nil
        control = nil
        send(.stop)
    }

    // MARK: Level

    func setVolume(_ level: Float) {
        volume = level
        send(.setVolume(level: Double(level)))
    }

    func toggleMute() {
        isMuted.toggle()
        send(.setMuted(muted: isMuted))
    }

    // MARK: The receiver's word

    private func take(_ event: ReferenceEvent) {
        switch event {
        case .playback(let state?): show(state)
        case .playback(nil): break
        // The end of what played before may come after the next has begun.
        case .ended(let id, let failure) where id == playback:
            ended(failure.map { MediaDeviceError($0, .sessionFailed) })
        case .volume(let level, let muted):
            volume = level.map { Float($0) } ?? volume
            isMuted = muted
            control?.update(volume: volume, isMuted: isMuted)
            host.volumeChanged(for: device)
        case .data(let application, let data):
            guard let playing, application == self.application else { return }
            host.receiveData(data, fromApplication: application, session: playing)
        case .ended, .paired, .pairingFailed: break
        }
    }

    private func show(_ state: ReferencePlayback) {
        guard let playing, state.id == playback else { return }
        if let control { return control.update(state) }
        // Until its data has come it may still turn out that it cannot be played.
        guard !state.isBuffering else { return }
        let control = ReferencePlaybackControl(state, volume: volume, isMuted: isMuted) { [weak self] in self?.send($0)
        }
        self.control = control
        host.started(application: application, playbackControl: control, session: playing)
    }

    private func ended(_ error: MediaDeviceError?) {
        guard let session = playing else { return }
        control?.finish(error)
        playing = nil
        control = nil
        if let error { host.sessionFailed(session, error: error) } else { host.sessionEnded(session) }
    }

    private func commandFailed(_ command: ReferenceCommand, _ failure: ConnectionFailure) {
        switch command {
        case .play(let id, _), .launch(let id, _, _):
            if id == playback { ended(MediaDeviceError(failure, .sessionFailed)) }
        // The receiver's last word stands: what was shown in advance is taken back by the next one.
        default: break
        }
    }

    private func connectionEnded() {
        guard isConnected else { return }
        isConnected = false
        commands.finish()
        ended(MediaDeviceError(.connectionFailed, reason: "The connection to \(device.displayName) was lost."))
    }
}
