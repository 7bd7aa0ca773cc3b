import MediaDevice
import Observation

extension ActiveDevice {
    /// Shows what the app says of its media later, as of live sound, and tells the player.
    func followDescription(of playback: PlaybackInSession) {
        let session = playback.session
        playback.description = Task { [weak self, weak playback, url = playback.media.url] in
            var last = playback?.media.information
            for await information in Observations({ session.mediaInformation }) where information != last {
                last = information
                let media = PlayableMedia(url: url, information: information, session: session)
                playback?.control.show(information)
                await self?.inOrder { [weak self, weak playback] in
                    guard let playback, playback.isLoaded, !playback.isOver else { return }
                    await self?.player?.describe(media, of: playback.run)
                }.value
            }
        }
    }
}
