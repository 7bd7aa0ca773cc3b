public import AVKit
import ExtensionProgram
import Foundation
import HostInterface
import LinkProtocol
import PlaybackMirroring

extension MediaDeviceRoutingManager {
    /// Reports that the remote player or application runs and accepts commands.
    ///
    /// From then on the host reads `playbackControl` whenever it changes, and writes people's commands to it. It
    /// retains the object until the session is stopped, fails or ends. Another call for the same session replaces the
    /// object.
    ///
    /// - Parameters:
    ///   - applicationIdentifier: The remote application; `nil` for the device's own player.
    ///   - playbackControl: The control object.
    ///   - session: The session.
    public func started<T>(
        application applicationIdentifier: String?, playbackControl: T, session: MediaOutputSession
    ) where T: AVPlaybackUserInterfaceControllable {
        guard !session.isStopped else {
            ExtensionLog.write("session \(session.id) started after it was stopped: ignored")
            return
        }
        let previous = sessions.playback(of: session.id)?.observation.published
        let playback = RemotePlayback(control: playbackControl) { [weak self] state in
            self?.report(.playbackChanged(session: session.id, state: state))
        }
        sessions.begin(playback, in: session)
        let state = playback.observation.published
        if let previous {
            // The host knows it as started already.
            if !previous.foretells(state) { report(.playbackChanged(session: session.id, state: state)) }
        } else {
            report(.started(session: session.id, application: applicationIdentifier ?? "", state: state))
        }
    }

    /// Reports that the remote player or application runs, with a control object in the spelling of early betas.
    ///
    /// See ``started(application:playbackControl:session:)``.
    @_disfavoredOverload
    public func started<T>(
        application applicationIdentifier: String?, playbackControl: T, session: MediaOutputSession
    ) where T: AVInterfaceControllable {
        started(
            application: applicationIdentifier, playbackControl: AVInterfaceControlAdapter(playbackControl),
            session: session)
    }

    /// Reports that the session failed and can't continue, although its devices remain active.
    ///
    /// If a device was lost, report ``failedToActivateDevice(_:session:error:)`` for it instead. That ends its
    /// playback, and later reports for the session are ignored.
    public func sessionFailed(_ session: MediaOutputSession, error: MediaDeviceError) {
        guard end(session) else { return }
        report(.sessionFailed(session: session.id, error: error.asHostError))
    }

    /// Reports that playback ended by itself, for example at the end of the media or because a person stopped it on the
    /// device. Available on Linux only.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - ending: The way in which it ended; `nil` if the device doesn't tell. The host then compares the last position
    ///     with the duration.
    public func sessionEnded(_ session: MediaOutputSession, ending: MediaOutputSession.Ending? = nil) {
        guard end(session) else { return }
        report(.sessionEnded(session: session.id, ending: ending?.reported))
    }

    /// Stores the token by which the extension recognizes this playback, such as the device's own number for it.
    /// Available on Linux only.
    ///
    /// ``PlaybackAdopting/adoptPlayback(_:in:)`` gets it back. Set it before you report the start, and whenever it
    /// changes.
    ///
    /// - Parameters:
    ///   - token: The token, at most 4096 bytes. The host stores it on disk, so it must not be secret.
    ///   - session: The session.
    public func setAdoptionToken(_ token: Data, for session: MediaOutputSession) {
        guard !session.isStopped else { return }
        report(.setAdoptionToken(session: session.id, token: token))
    }

    /// Ends a session.
    ///
    /// - Returns: `false` if the host ended it before, and so needs no report.
    private func end(_ session: MediaOutputSession) -> Bool {
        guard !session.isStopped else { return false }
        sessions.stop(session)
        forgetIfUnused(session)
        return true
    }

    // MARK: Data

    /// Passes data of the remote application, or of the extension, to the media app.
    ///
    /// - Parameters:
    ///   - data: The data, at most 1 MiB. The host discards longer data.
    ///   - applicationIdentifier: The remote application, or `com.apple.media-device-extension` for the extension
    ///     itself.
    ///   - session: The session.
    public func receiveData(
        _ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession
    ) {
        guard !sessions.channels.send(data, fromApplication: applicationIdentifier, session: session.id) else { return }
        report(.receiveData(data, application: applicationIdentifier, session: session.id))
    }

    /// Passes data to the media app, in the spelling of early betas. See ``receiveData(_:fromApplication:session:)``.
    public func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        receiveData(data, fromApplication: applicationIdentifier, session: session)
    }

    // MARK: Realtime delivery

    /// Reports, after a realtime delivery, whether latency, frame rate and audio met their thresholds.
    public func reportQualityMetricsPassed(_ thresholdsMet: Bool, forSession session: MediaOutputSession) {
        report(.reportQuality(session: session.id, thresholdsMet: thresholdsMet))
    }

    /// Reports the quality of a realtime delivery while it runs. Available on Linux only.
    ///
    /// People see it with `mdhost status --verbose`. Report it a few times a minute, and when a problem occurs.
    public func reportQuality(_ quality: RealtimeQuality, forSession session: MediaOutputSession) {
        guard !session.isStopped else { return }
        report(.measureQuality(session: session.id, quality: quality.onLink))
    }

    /// Reports whether a realtime delivery met its thresholds, in the spelling of early betas. See
    /// ``reportQualityMetricsPassed(_:forSession:)``.
    public func reportRealtimeSampleDeliveryKPIs(session: MediaOutputSession, metKPIs: Bool) {
        reportQualityMetricsPassed(metKPIs, forSession: session)
    }
}
