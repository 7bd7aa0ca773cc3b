import DLNAProtocol
import Foundation
import MediaTypes
import PlaybackKit

/// Our media on a renderer, from the offer to its end.
struct RendererPlayback {
    let run: PlaybackRun
    let offer: MediaOffer
    var tracker: PlaybackTracker
    /// A Boolean value that indicates whether the device accepted to play.
    var isAccepted = false
    /// The position at which playback has to begin, until it is requested from the device.
    var pendingStart: Double?
    /// The person moved to another position than that at which playback has to begin.
    var hasOwnPosition = false
    private(set) var snapshot: PlaybackSnapshot
    /// The device's description that the snapshot shows.
    private var shownMetadata: String?

    /// - Parameter now: Seconds of the host clock.
    init(_ media: PlayableMedia, _ facts: MediaFacts, as run: PlaybackRun, now: Double) {
        self.run = run
        offer = MediaOffer(url: media.url, facts: facts, information: media.information)
        tracker = PlaybackTracker(uri: media.url.absoluteString, duration: media.duration, now: now)
        pendingStart = media.startPosition.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        snapshot = PlaybackSnapshot(isPlaying: true, position: 0, time: now)
        snapshot.isReady = false
        snapshot.isBuffering = true
        snapshot.hasVideo = facts.mimeType.map { MIMEType.family(MIMEType.bare($0)) == "video" } ?? false
        snapshot.show([offer.metadata])
    }

    /// Updates the snapshot from the tracker.
    ///
    /// - Parameter canSeek: `true` if the renderer supports it.
    mutating func update(canSeek: Bool, now: Double) {
        switch tracker.phase {
        case .playing, .paused:
            snapshot.isReady = true
            snapshot.isBuffering = false
            snapshot.isPlaying = tracker.phase == .playing
        case .loading, .buffering: snapshot.isBuffering = true
        case .finished:
            snapshot.isBuffering = false
            snapshot.isPlaying = false
        }
        snapshot.position = tracker.position.value
        snapshot.time = tracker.position.time
        snapshot.duration = tracker.duration
        snapshot.isLive = tracker.phase == .playing && tracker.duration == nil && tracker.position(at: now) > 5
        snapshot.canSeek = canSeek && tracker.duration != nil && tracker.actions?.contains("SEEK") ?? true
        guard tracker.metadata != shownMetadata else { return }
        shownMetadata = tracker.metadata
        snapshot.show([shownMetadata, offer.metadata])
    }
}

extension PlaybackSnapshot {
    /// Shows DIDL-Lite documents, in order of preference: the device's own, then the offered one. Unreadable documents
    /// are ignored.
    mutating func show(_ documents: [String?]) {
        let items = documents.compactMap { $0 }.compactMap { try? MediaItem(parsing: $0) }
        title = items.lazy.compactMap(\.title).first
        subtitle = items.lazy.compactMap(\.artist).first
        artworkURL = items.lazy.compactMap { $0.artworkURI.flatMap(Self.fetchable) }.first
    }

    /// A device must not make a desktop open a file.
    private static func fetchable(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
        else {
            return nil
        }
        return url
    }
}

extension PlaybackEnding {
    init(_ ending: PlaybackTracker.Ending) {
        switch ending {
        case .ended: self = .unexplained
        case .stoppedElsewhere, .replaced: self = .stopped
        case .failed: self = .refused("The device reports an error in playback.")
        case .neverStarted: self = .refused("The device accepted the media but did not begin to play it.")
        }
    }

    private static func refused(_ reason: String) -> PlaybackEnding {
        .failed(MediaDeviceError(.sessionFailed, detail: .deviceRefused, reason: reason))
    }
}
