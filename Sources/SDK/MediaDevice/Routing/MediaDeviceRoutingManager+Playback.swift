import AVKit
import ExtensionProgram
import Foundation
import HostInterface
import PlaybackMirroring

extension MediaDeviceRoutingManager {
    /// Reports that the remote player or application runs and takes commands.
    ///
    /// From now on the host reads `playbackControl` whenever Observation says it changed, and writes to it what people
    /// ask for. It is kept until the session is stopped, failed or ended. Called again for the same session, the new
    /// control takes the place of the old one.
    ///
    /// - Parameter applicationIdentifier: The remote application; `nil` for the device's own player.
    public func started<T>(
        application applicationIdentifier: String?, playbackControl: T, session: MediaOutputSession
    ) where T: AVPlaybackUserInterfaceControllable {
        guard !session.isStopped else {
            ExtensionLog.write("session \(session.id) started after it was stopped: ignored")
            return
        }
        let previous = sessions.playback(of: session.id)?.observation.published
        let playback = RemotePlayback(control: playbackControl) { [weak self] state in
            self?.report(.playbackChanged(session: session.id, state))
        }
        sessions.begin(playback, in: session)
        let state = playback.observation.published
        if let previous {
            // The host knows it as started already.
            if !previous.foretells(state) { report(.playbackChanged(session: session.id, state)) }
        } else {
            report(.started(session: session.id, application: applicationIdentifier ?? "", state))
        }
    }

    /// As ``started(application:playbackControl:session:)``, for a control object in the spelling of early betas.
    @_disfavoredOverload
    public func started<T>(
        application applicationIdentifier: String?, playbackControl: T, session: MediaOutputSession
    ) where T: AVInterfaceControllable {
        started(
            application: applicationIdentifier, playbackControl: AVInterfaceControlAdapter(playbackControl),
            session: session)
    }

    /// Reports that the session failed and cannot go on, while its devices are still there and stay active.
    ///
    /// Where a device is not, report ``failedToActivateDevice(_:session:error:)`` for it instead: what it plays ends with that, and
    /// what follows for the session is ignored.
    public func sessionFailed(_ session: MediaOutputSession, error: MediaDeviceError) {
        guard end(session) else { return }
        report(.sessionFailed(session: session.id, error.asHostError))
    }

    /// Reports that playback finished by itself, e.g. at the end of the media or because somebody stopped it on the
    /// device. Only on Linux.
    public func sessionEnded(_ session: MediaOutputSession) {
        guard end(session) else { return }
        report(.sessionEnded(session: session.id))
    }

    /// Gives the host what the extension will need to know this playback again, such as the device's own number for it; it
    /// comes back with ``PlaybackAdopting/adoptPlayback(_:in:)``. To be told before the start is reported, and again
    /// whenever it changes. Only on Linux.
    ///
    /// - Parameter token: At most 4096 bytes; it is stored on the disk, so no secrets.
    public func setAdoptionToken(_ token: Data, for session: MediaOutputSession) {
        guard !session.isStopped else { return }
        report(.setAdoptionToken(session: session.id, token))
    }

    /// - Returns: `false` if the host ended it before, so that it need not be told.
    private func end(_ session: MediaOutputSession) -> Bool {
        guard !session.isStopped else { return false }
        sessions.stop(session)
        forgetIfUnused(session)
        return true
    }

    // MARK: Data

    /// Hands bytes of the remote application, or of the extension, to the media app.
    ///
    /// - Parameters:
    ///   - data: At most 1 MiB; the host drops longer ones.
    ///   - applicationIdentifier: The remote application, or `com.apple.media-device-extension` for the extension itself.
    public func receiveData(
        _ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession
    ) {
        report(.receiveData(data, application: applicationIdentifier, session: session.id))
    }

    /// As ``receiveData(_:fromApplication:session:)``, in the spelling of early betas.
    public func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        receiveData(data, fromApplication: applicationIdentifier, session: session)
    }

    // MARK: Realtime delivery

    /// Reports, after a realtime delivery, whether latency, frame rate and audio were good enough.
    public func reportQualityMetricsPassed(_ thresholdsMet: Bool, forSession session: MediaOutputSession) {
        report(.reportQuality(thresholdsMet: thresholdsMet, session: session.id))
    }

    /// Reports how a realtime delivery goes, while it does: people see it with `mdhost status --verbose`. A few times a
    /// minute are enough, and when something went wrong. Only on Linux.
    public func reportQuality(_ quality: RealtimeQuality, forSession session: MediaOutputSession) {
        guard !session.isStopped else { return }
        report(.measureQuality(session: session.id, quality.onLink))
    }

    /// As ``reportQualityMetricsPassed(_:forSession:)``, in the spelling of early betas.
    public func reportRealtimeSampleDeliveryKPIs(session: MediaOutputSession, metKPIs: Bool) {
        reportQualityMetricsPassed(metKPIs, forSession: session)
    }
}
