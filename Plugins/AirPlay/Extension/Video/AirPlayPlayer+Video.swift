import AirPlayProtocol
import Foundation
import Logging
import MediaDevice

/// Playback by address, on a receiver alone.
extension AirPlayPlayer {
    /// The access to the only receiver's service that plays URLs; `nil` if the media is streamed live, as for several
    /// receivers.
    var videoAccess: ReceiverAccess? { members.count == 1 ? members.first?.videoAccess : nil }

    /// Plays a URL on the receiver.
    func show(_ address: String, _ access: ReceiverAccess) { begin(address, access, place: nil) }

    /// Adopts the playback of an earlier process, if the receiver still plays it.
    func adopt(_ address: String, _ place: VideoPlayback.VideoPlace) {
        guard let access = videoAccess else { return host.sessionEnded(session) }
        begin(address, access, place: place)
    }

    private func begin(_ address: String, _ access: ReceiverAccess, place: VideoPlayback.VideoPlace?) {
        let previous = item
        let video = VideoPlayback(
            address: address, information: session.mediaInformation, access: access, place: place, setting: setting
        ) { [weak self] in self?.perform($0) }
        let earlier = self.video
        item = nil
        self.video = video
        if let device = members.first {
            if let level = device.takeInitial(isReported: false) { video.setLevel(level) }
            device.onLevel = { [weak self, weak video] level in
                video?.setLevel(level)
                self?.showLevel()
            }
        }
        showLevel()
        video.onReport = { [weak self, weak video] report in
            guard let self, let video, self.video === video else { return }
            self.report(report, of: video, address)
        }
        Task {
            await previous?.stop()
            await earlier?.stop()
            video.start()
        }
    }

    private func report(_ report: VideoPlayback.Report, of video: VideoPlayback, _ address: String) {
        switch report {
        case .started: host.started(application: nil, playbackControl: video.control, session: session)
        case .begun(let place): host.setAdoptionToken(place.data, for: session)
        case .ended:
            end()
            host.sessionEnded(session)
        case .failed(let error):
            guard !video.hasStarted, error.code == .sessionFailed, members.first?.takesSound == true else {
                return failed(error)
            }
            // It may know fewer formats than there are here.
            log.info("it is sent live instead", metadata: ["reason": "\(error.failureReason ?? "")"])
            end()
            send(.media(session.reader))
        }
    }
}
