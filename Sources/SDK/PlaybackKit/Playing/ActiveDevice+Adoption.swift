import Foundation
import MediaDevice

/// Playback that began without this process.
extension ActiveDevice {
    func adopt(_ media: PlayableMedia, token: Data?, application: String?, in session: MediaOutputSession) {
        let playback = begin(media, in: session)
        playback.application = application
        playback.keep(token)
        adopt(playback)
    }

    func takeControl(in session: MediaOutputSession) {
        let playback = begin(PlayableMedia(url: Self.unknown), in: session)
        playback.isOthers = true
        adopt(playback)
    }
}
