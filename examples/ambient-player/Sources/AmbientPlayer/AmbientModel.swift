import Foundation
import NowPlaying
import Observation
import Sounds

/// The player's model, shown to the person and to the desktop.
@Observable
final class AmbientModel: MediaSessionRepresentable {
    let id = "ambient"
    private(set) var soundscape: Soundscape
    private(set) var isPlaying = false
    /// When it is to fall silent; `nil`: never.
    private(set) var sleepTime: Date?
    private(set) var feedback: [Soundscape: MediaCommand.FeedbackStatus] = [:]
    private var startTime = Date()
    private var elapsed: TimeInterval = 0

    @MainActor
    init(_ soundscape: Soundscape = .rain) { self.soundscape = soundscape }

    // MARK: Content

    var content: (any MediaContentRepresentable)? {
        let soundscape = soundscape
        let cover = Artwork(id: "cover-\(soundscape.rawValue)") { size in
            let side = min(size.width, size.height, Double(Cover.greatestSide))
            return try ArtworkRepresentation(data: Data(Cover.png(of: soundscape, side: Int(side))))
        }
        return GenericContent(
            id: soundscape.rawValue, title: soundscape.title, subtitle: "Ambient Player", type: .audio,
            duration: .continuous, artwork: cover)
    }

    var playbackSnapshot: MediaPlaybackSnapshot? {
        MediaPlaybackSnapshot(
            state: isPlaying ? .playing() : .paused, elapsedTime: elapsed, timestamp: isPlaying ? startTime : nil)
    }

    var commands: [MediaCommand] {
        [
            .play { [weak self] in self?.play() },
            .pause { [weak self] in self?.pause() },
            .togglePlayPause { [weak self] in self?.toggle() },
            .next { [weak self] in self?.move(by: 1) },
            .previous { [weak self] in self?.move(by: -1) },
            .feedback(title: "Like", status: feedback[soundscape] ?? .neutral) { [weak self] status in
                self?.rate(status)
            },
        ]
    }

    // MARK: Commands

    @MainActor
    func play() {
        guard !isPlaying else { return }
        startTime = Date()
        isPlaying = true
    }

    @MainActor
    func pause() {
        guard isPlaying else { return }
        elapsed += Date().timeIntervalSince(startTime)
        isPlaying = false
    }

    @MainActor
    func toggle() { if isPlaying { pause() } else { play() } }

    @MainActor
    func move(by steps: Int) {
        let all = Soundscape.allCases
        guard let index = all.firstIndex(of: soundscape) else { return }
        soundscape = all[((index + steps) % all.count + all.count) % all.count]
        elapsed = 0
        startTime = Date()
    }

    @MainActor
    private func rate(_ status: MediaCommand.FeedbackStatus) { feedback[soundscape] = status }
}
