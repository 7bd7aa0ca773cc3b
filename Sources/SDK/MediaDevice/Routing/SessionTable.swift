package import AVKit
import HostInterface
import MediaReading
import PlaybackMirroring

/// A session's control object and its observation.
@MainActor
package final class RemotePlayback {
    package let control: any AVPlaybackUserInterfaceControllable
    let observation: PlaybackObservation

    init(
        control: any AVPlaybackUserInterfaceControllable, publish: @escaping @MainActor (PlaybackState) -> Void
    ) {
        self.control = control
        observation = PlaybackObservation(of: control, publish: publish)
    }
}

/// The sessions that the host opened, and their playback.
@MainActor
package final class SessionTable {
    private var sessions: [String: MediaOutputSession] = [:]
    private var playbacks: [String: RemotePlayback] = [:]
    private let devices: DeviceTable
    let channels = DataChannelTable()
    /// Returns the readers of a session's media; `nil` before the host answered.
    var readers: (@MainActor (String) -> MediaReaderSource)?

    init(devices: DeviceTable) { self.devices = devices }

    package func session(_ identifier: String) -> MediaOutputSession? { sessions[identifier] }

    /// Returns the session with an identifier: the same object until it is stopped, then a new one.
    package func open(_ identifier: String) -> MediaOutputSession {
        if let session = sessions[identifier], !session.isStopped { return session }
        let session = MediaOutputSession(id: identifier, in: devices)
        session.reader = readers?(identifier)
        sessions[identifier] = session
        return session
    }

    package func playback(of identifier: String) -> RemotePlayback? { playbacks[identifier] }

    func begin(_ playback: RemotePlayback, in session: MediaOutputSession) {
        playbacks.removeValue(forKey: session.id)?.observation.cancel()
        playbacks[session.id] = playback
        sessions[session.id] = session
    }

    /// Ends playback of a session. Later reports about it are ignored.
    package func stop(_ session: MediaOutputSession) {
        session.isStopped = true
        channels.close(session.id)
        playbacks.removeValue(forKey: session.id)?.observation.cancel()
    }

    package func remove(_ identifier: String) {
        if let session = sessions.removeValue(forKey: identifier) { stop(session) }
        channels.closeAll(identifier)
    }

    func removeAll() {
        for identifier in sessions.keys { remove(identifier) }
    }

    package var count: Int { sessions.count }
}
