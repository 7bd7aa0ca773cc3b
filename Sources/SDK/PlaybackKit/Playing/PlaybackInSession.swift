import Foundation
import MediaDevice

/// One playback of a session. It reports its start once and its end once.
@MainActor
final class PlaybackInSession {
    let run: PlaybackRun
    let media: PlayableMedia
    let session: MediaOutputSession
    let control: PlayerControl
    /// The token with which the device recognizes the playback.
    private(set) var token: Data?
    /// The application that plays it; `nil` for the device's own player.
    var application: String?
    /// A Boolean value that indicates whether another sender started it.
    var isOthers = false
    /// The samples in place of media.
    var samples: SamplePlayback?
    /// The task that loads or adopts the media.
    var request: Task<Void, Never>?
    /// The task that follows the app's description.
    var description: Task<Void, Never>?
    /// A Boolean value that indicates whether the device has accepted the media.
    var isLoaded = false
    private(set) var isOver = false
    private var hasStarted = false
    private let host: MediaDeviceRoutingManager

    init(
        _ run: PlaybackRun, _ media: PlayableMedia, in session: MediaOutputSession, control: PlayerControl,
        host: MediaDeviceRoutingManager
    ) {
        self.run = run
        self.media = media
        self.session = session
        self.control = control
        self.host = host
    }

    func keep(_ token: Data?) {
        self.token = token
        if let token, !isOver { host.setAdoptionToken(token, for: session) }
    }

    func started() {
        guard !hasStarted, !isOver else { return }
        hasStarted = true
        host.started(application: application, playbackControl: control, session: session)
    }

    /// Ends the playback at the device's initiative, and reports it.
    func ended(_ ending: PlaybackEnding) {
        guard !isOver else { return }
        switch ending {
        case .finished: ended(by: .finished)
        case .stopped: ended(by: .interrupted)
        case .takenOver(let name): ended(by: .takenOver(by: name))
        case .unexplained: ended(by: nil)
        case .failed(let error):
            close(error)
            host.sessionFailed(session, error: error)
        }
    }

    private func ended(by ending: MediaOutputSession.Ending?) {
        // Very short media may be over before the device says that it plays.
        started()
        close(nil)
        host.sessionEnded(session, ending: ending)
    }

    /// Reports that there is nothing to take control of.
    func isNotThere() {
        guard !isOver else { return }
        close(nil)
        host.sessionEnded(session)
    }

    /// Ends the playback at the host's initiative, without a report.
    func close(_ error: (any Error)?) {
        isOver = true
        request?.cancel()
        description?.cancel()
        samples?.close()
        control.finish(error)
    }
}
