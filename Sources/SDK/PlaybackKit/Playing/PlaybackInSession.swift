import Foundation
import MediaDevice

/// One playback as a session sees it: reports its beginning once and its ending once.
@MainActor
final class PlaybackInSession {
    let run: PlaybackRun
    let media: PlayableMedia
    let session: MediaOutputSession
    let control: PlayerControl
    /// What the device needs to recognise the playback.
    private(set) var token: Data?
    /// Whether the device has accepted it.
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
        host.started(application: nil, playbackControl: control, session: session)
    }

    /// The device ended it.
    func ended(_ ending: PlaybackEnding) {
        guard !isOver else { return }
        switch ending {
        case .finished, .stopped:
            // Very short media may be over before the device says that it plays.
            started()
            close(nil)
            host.sessionEnded(session)
        case .failed(let error):
            close(error)
            host.sessionFailed(session, error: error)
        }
    }

    /// The host ended it; nothing is reported.
    func close(_ error: (any Error)?) {
        isOver = true
        control.finish(error)
    }
}
