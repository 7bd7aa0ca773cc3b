/// A media player of another program, as it describes itself to the desktop (MPRIS).
package struct MediaPlayer: Sendable, Hashable {
    /// The process that shows it.
    package var processID: Int32
    package var isPlaying: Bool
    package var title: String?
    package var artist: String?
    /// An `https:` or `http:` URL.
    package var artworkURL: String?

    package init(
        processID: Int32, isPlaying: Bool, title: String? = nil, artist: String? = nil, artworkURL: String? = nil
    ) {
        self.processID = processID
        self.isPlaying = isPlaying
        self.title = title
        self.artist = artist
        self.artworkURL = artworkURL
    }

    /// Returns the player of the program that plays to an output; `nil` if there is none, or several play.
    ///
    /// A browser plays by a process that it started, and the player is the browser's.
    static func playing(
        to output: String, _ streams: [ProgramStream], _ players: [MediaPlayer], _ ancestry: ProcessAncestry
    ) -> MediaPlayer? {
        var found: Set<MediaPlayer> = []
        for stream in streams where stream.output == output {
            found.formUnion(
                ancestry.nearest(to: stream.processID) { process in
                    let own = players.filter { $0.processID == process }
                    return own.isEmpty ? nil : own
                } ?? [])
        }
        let playing = found.filter(\.isPlaying)
        if playing.count == 1 { return playing.first }
        return playing.isEmpty && found.count == 1 ? found.first : nil
    }
}

/// The media players of other programs on the desktop, whenever there is a session bus.
package protocol MediaPlayerPort: Sendable {
    /// A stream that yields after changes; for one consumer.
    var changes: AsyncStream<Void> { get }
    /// Watches the players from now on, or no longer.
    func follow(_ isFollowed: Bool) async
    /// Returns the players; none while they aren't followed.
    func players() async -> [MediaPlayer]
}
